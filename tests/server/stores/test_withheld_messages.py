"""One contract for what is withheld, in MongoDB and in memory."""

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.withheld_messages import (
    InMemoryWithheld,
    MongoWithheld,
    WithheldStore,
)
from tests.contracts.withheld_message_contract import WithheldContract


class TestInMemory(WithheldContract):
    @pytest.fixture
    def withheld(self) -> WithheldStore:
        return InMemoryWithheld()


@pytest.mark.embedded
class TestInMongo(WithheldContract):
    @pytest.fixture
    def withheld(self, database: MongoDatabase) -> WithheldStore:
        return MongoWithheld(database)
