"""One contract for entities, in MongoDB and in memory."""

import pytest

from palimpsest_server.stores.entities import EntityStore, InMemoryEntities
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.entities import MongoEntities
from tests.contracts.entity_contract import EntityContract


class TestInMemoryEntities(EntityContract):
    @pytest.fixture
    def entities(self) -> EntityStore:
        return InMemoryEntities()


@pytest.mark.embedded
class TestMongoEntities(EntityContract):
    @pytest.fixture
    def entities(self, database: MongoDatabase) -> EntityStore:
        return MongoEntities(database)
