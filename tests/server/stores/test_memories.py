import pytest

from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Layout
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.consolidation.memory_keys import (
    KEY_RULES_VERSION,
    stored_keys,
    value_keys,
)
from palimpsest_server.stores.mongo import window_marks
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memories import MongoMemories
from tests.contracts.memory_contract import MemoryStoreContract
from tests.support.language.plans.planning import TUCSON, planned
from tests.support.server.domain.consolidation.samples import ALICE, about, day
from tests.support.server.stores.memories import COACH, added, changed, memory
from tests.support.stores.memories import InMemoryMemories


class TestInMemory(MemoryStoreContract):
    @pytest.fixture
    def store(self) -> InMemoryMemories:
        return InMemoryMemories()


class TestPooled(MemoryStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> MongoMemories:
        return MongoMemories(database)


class TestInWindows(MemoryStoreContract):
    """As the embedded database is read, with every second memory marked."""

    @pytest.fixture(params=Layout)
    def store(
        self,
        database: MongoDatabase,
        monkeypatch: pytest.MonkeyPatch,
        request: pytest.FixtureRequest,
    ) -> MongoMemories:
        monkeypatch.setattr(database, "embedded", True)
        monkeypatch.setattr(window_marks, "MEMORIES_PER_MARK", 2)
        return MongoMemories(database, layout=request.param)


class TestPerAgent(MemoryStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> MongoMemories:
        return MongoMemories(database, layout=Layout.PER_AGENT)

    async def test_each_namespace_has_a_collection_of_its_name(
        self, store: MongoMemories, database: MongoDatabase
    ) -> None:
        await store.apply(added(memory("I like tea"), memory("I like coffee", scope=COACH)))
        for name in ("user_alice", "user_alice_coach"):
            assert await database.named(name).count_documents({}) == 1

    async def test_what_was_stored_without_its_keys_gets_them_before_they_are_missed(
        self, store: MongoMemories, database: MongoDatabase
    ) -> None:
        trip, tea, gone = plan(), likes("tea"), likes("cocoa")
        purged = changed(gone, status=Status.PURGED, attribute=None, value=None)
        await store.apply([*added(trip, tea, gone), purged])
        collection = database.named("user_alice")
        await collection.update_many({}, {"$unset": {"value_keys": "", "key_rules": ""}})
        for one in (trip, tea):
            assert await store.with_value_keys({ALICE.namespace: stored_keys(one)}) == [one]
        keyed = collection.find({"value_keys": {"$exists": True}}).sort("_id", 1)
        assert [one["_id"] async for one in keyed] == sorted([trip.id, tea.id])

    async def test_keys_of_older_rules_stay_beside_those_of_today(
        self, store: MongoMemories, database: MongoDatabase
    ) -> None:
        trip = plan()
        await store.apply(added(trip))
        older = {"$set": {"value_keys": ["older"], "key_rules": KEY_RULES_VERSION - 1}}
        await database.named("user_alice").update_many({}, older)
        for key in ("older", *stored_keys(trip)):
            assert await store.with_value_keys({ALICE.namespace: [key]}) == [trip]

    async def test_what_an_older_process_writes_meanwhile_gets_its_keys_before_long(
        self, database: MongoDatabase
    ) -> None:
        store = MongoMemories(database, layout=Layout.PER_AGENT, key_recheck_seconds=0.0)
        tea, mate = likes("tea"), likes("mate")
        keys = {ALICE.namespace: value_keys(mate)}
        await store.apply(added(tea))
        await store.with_value_keys(keys)
        await store.apply(added(mate))
        await database.named("user_alice").update_one(
            {"_id": mate.id}, {"$unset": {"value_keys": "", "key_rules": ""}}
        )
        assert await store.with_value_keys(keys) == [mate]


def plan() -> Memory:
    return build_memory(planned(TUCSON), received_at=day(1), epoch=0)


def likes(value: str) -> Memory:
    return build_memory(about("likes", value, on=1), received_at=day(1), epoch=0)
