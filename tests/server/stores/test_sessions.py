import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.sessions import SessionKey, SessionProgress, SessionStore
from tests.contracts.session_contract import SessionStoreContract
from tests.support.stores.sessions import InMemorySessions


async def sessions_of_lin(store: InMemorySessions | MongoSessions) -> None:
    names = ("one", "two", "three")
    await store.advance([SessionProgress(key=SessionKey("lin", name)) for name in names])
    await store.advance([SessionProgress(key=SessionKey("bo", "one"))])
    sessions = await store.of_user("lin", limit=9)
    assert {session.key for session in sessions} == {SessionKey("lin", name) for name in names}
    assert len(await store.of_user("lin", limit=2)) == 2
    assert await store.of_user("nobody", limit=2) == []


class TestInMemory(SessionStoreContract):
    @pytest.fixture
    def store(self) -> SessionStore:
        return InMemorySessions()

    async def test_a_users_sessions_are_read_and_no_others(self) -> None:
        await sessions_of_lin(InMemorySessions())


class TestMongo(SessionStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> SessionStore:
        return MongoSessions(database)

    async def test_a_users_sessions_are_read_and_no_others(self, database: MongoDatabase) -> None:
        await sessions_of_lin(MongoSessions(database))
