import pytest

from palimpsest.model.errors import EmbeddingModelMismatch, NamespaceMismatch
from palimpsest.model.scope import Layout
from palimpsest_server.stores.collections import NAMESPACES
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.namespaces import (
    InMemoryNamespaces,
    MongoNamespaces,
)
from tests.contracts.namespace_contract import ALICE, COACH, NamespaceRegistryContract


class TestInMemory(NamespaceRegistryContract):
    @pytest.fixture
    def registry(self) -> InMemoryNamespaces:
        return InMemoryNamespaces(layout=Layout.PER_AGENT, model="tiny-2-1")


class TestMongo(NamespaceRegistryContract):
    @pytest.fixture
    def registry(self, database: MongoDatabase) -> MongoNamespaces:
        return MongoNamespaces(database, layout=Layout.PER_AGENT, model="tiny-2-1")

    async def test_the_other_layout_is_refused_with_words(
        self, registry: MongoNamespaces, database: MongoDatabase
    ) -> None:
        await registry.register([ALICE])
        other = MongoNamespaces(database, layout=Layout.POOLED, model="tiny-2-1")
        with pytest.raises(NamespaceMismatch, match="PALIMPSEST_LAYOUT=per_agent"):
            await other.verify()

    async def test_another_model_is_refused_with_words(
        self, registry: MongoNamespaces, database: MongoDatabase
    ) -> None:
        await registry.register([ALICE])
        other = MongoNamespaces(database, layout=Layout.PER_AGENT, model="large-9-1")
        with pytest.raises(EmbeddingModelMismatch, match="palimpsest reindex"):
            await other.verify()

    async def test_a_namespace_in_its_own_collection_has_its_indexes(
        self, registry: MongoNamespaces, database: MongoDatabase
    ) -> None:
        await registry.register([COACH])
        indexes = await database.named("user_alice_coach").index_information()
        assert {"same_content", "same_attribute"} <= indexes.keys()

    async def test_a_namespace_registered_by_another_process_is_no_error(
        self, registry: MongoNamespaces, database: MongoDatabase
    ) -> None:
        other = MongoNamespaces(database, layout=Layout.PER_AGENT, model="tiny-2-1")
        await registry.register([ALICE, COACH])
        await other.register([COACH, ALICE])
        assert await database.collection(NAMESPACES).count_documents({}) == 2
