"""Dead letters: one contract for the twin and for MongoDB."""

import pytest

from palimpsest_server.stores.dead_letters import (
    DeadLetterStore,
    InMemoryDeadLetters,
    MongoDeadLetters,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.contracts.dead_letter_contract import DeadLetterContract


class TestDeadLettersInMemory(DeadLetterContract):
    @pytest.fixture
    def store(self) -> DeadLetterStore:
        return InMemoryDeadLetters()


@pytest.mark.embedded
class TestDeadLettersInMongoDB(DeadLetterContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> DeadLetterStore:
        return MongoDeadLetters(database)
