"""One contract for calls of models, in MongoDB and in memory."""

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.usage import MongoUsage
from palimpsest_server.stores.usage import InMemoryUsage, UsageStore
from tests.contracts.usage_contract import UsageContract


class TestInMemoryUsage(UsageContract):
    @pytest.fixture
    def usage(self) -> UsageStore:
        return InMemoryUsage()


@pytest.mark.embedded
class TestMongoUsage(UsageContract):
    @pytest.fixture
    def usage(self, database: MongoDatabase) -> UsageStore:
        return MongoUsage(database)
