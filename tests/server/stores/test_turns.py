import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.turns import TurnStore
from tests.contracts.turn_contract import TurnStoreContract
from tests.support.stores.turns import InMemoryTurns


class TestInMemory(TurnStoreContract):
    @pytest.fixture
    def store(self) -> TurnStore:
        return InMemoryTurns()


class TestMongo(TurnStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> TurnStore:
        return MongoTurns(database)
