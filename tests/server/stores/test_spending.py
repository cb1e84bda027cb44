"""One contract for the account of what models cost, in MongoDB and in memory."""

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.spending import InMemorySpending, MongoSpending, SpendingStore
from tests.contracts.spending_contract import SpendingContract


class TestMemorySpending(SpendingContract):
    @pytest.fixture
    def spending(self) -> SpendingStore:
        return InMemorySpending()


@pytest.mark.embedded
class TestMongoSpending(SpendingContract):
    @pytest.fixture
    def spending(self, database: MongoDatabase) -> SpendingStore:
        return MongoSpending(database)
