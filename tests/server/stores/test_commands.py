"""One contract for the commands' store, held by its twin and by MongoDB."""

import pytest

from palimpsest_server.stores.commands import (
    CommandStore,
    InMemoryCommands,
    MongoCommands,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.contracts.command_contract import CommandStoreContract


class TestInMemoryCommands(CommandStoreContract):
    @pytest.fixture
    def store(self) -> CommandStore:
        return InMemoryCommands()


@pytest.mark.embedded
class TestMongoCommands(CommandStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> CommandStore:
        return MongoCommands(database)
