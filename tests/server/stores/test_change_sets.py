import pytest

from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.contracts.change_set_contract import ChangeSetStoreContract
from tests.support.stores.change_sets import InMemoryChangeSets


class TestInMemory(ChangeSetStoreContract):
    @pytest.fixture
    def store(self) -> InMemoryChangeSets:
        return InMemoryChangeSets()


class TestMongo(ChangeSetStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> MongoChangeSets:
        return MongoChangeSets(database)
