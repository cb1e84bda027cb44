"""One contract for erasures that were decided, in MongoDB and in memory."""

import pytest

from palimpsest_server.stores.decided_erasures import (
    ErasureStore,
    InMemoryErasures,
    MongoErasures,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.contracts.decided_erasure_contract import ErasureContract


class TestInMemoryErasures(ErasureContract):
    @pytest.fixture
    def erasures(self) -> ErasureStore:
        return InMemoryErasures()


@pytest.mark.embedded
class TestMongoErasures(ErasureContract):
    @pytest.fixture
    def erasures(self, database: MongoDatabase) -> ErasureStore:
        return MongoErasures(database)
