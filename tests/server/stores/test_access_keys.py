"""One contract for keys, in MongoDB and in memory."""

import pytest

from palimpsest_server.stores.access_keys import (
    AccessKeyStore,
    InMemoryAccessKeys,
    MongoAccessKeys,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.contracts.access_key_contract import AccessKeyContract


class TestInMemoryAccessKeys(AccessKeyContract):
    @pytest.fixture
    def keys(self) -> AccessKeyStore:
        return InMemoryAccessKeys()


@pytest.mark.embedded
class TestMongoAccessKeys(AccessKeyContract):
    @pytest.fixture
    def keys(self, database: MongoDatabase) -> AccessKeyStore:
        return MongoAccessKeys(database)
