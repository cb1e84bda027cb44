import pytest

from palimpsest.domain.scope import Layout
from palimpsest.stores.memories_memory import InMemoryMemories
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.mongo import MongoDatabase
from tests.libs.stores.memories import COACH, added, memory
from tests.libs.stores.memory_contract import MemoryStoreContract


class TestInMemory(MemoryStoreContract):
    @pytest.fixture
    def store(self) -> InMemoryMemories:
        return InMemoryMemories()


class TestPooled(MemoryStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> MongoMemories:
        return MongoMemories(database)


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
