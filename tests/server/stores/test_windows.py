import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.windows import MongoWindows
from palimpsest_server.stores.windows import WindowStore
from tests.contracts.window_contract import WindowStoreContract
from tests.support.stores.windows import InMemoryWindows


class TestInMemory(WindowStoreContract):
    @pytest.fixture
    def store(self) -> WindowStore:
        return InMemoryWindows()


class TestMongo(WindowStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> WindowStore:
        return MongoWindows(database)
