"""One contract for summaries, and one for what is to be summed up, in MongoDB and in memory."""

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from palimpsest_server.stores.summaries import InMemorySummaries, SummaryStore
from palimpsest_server.stores.summary_needs import (
    InMemorySummaryNeeds,
    MongoSummaryNeeds,
    SummaryNeeds,
)
from tests.contracts.summary_contract import SummaryContract, SummaryNeedsContract


class TestInMemorySummaries(SummaryContract):
    @pytest.fixture
    def summaries(self) -> SummaryStore:
        return InMemorySummaries()


@pytest.mark.embedded
class TestMongoSummaries(SummaryContract):
    @pytest.fixture
    def summaries(self, database: MongoDatabase) -> SummaryStore:
        return MongoSummaries(database)


class TestInMemorySummaryNeeds(SummaryNeedsContract):
    @pytest.fixture
    def needs(self) -> SummaryNeeds:
        return InMemorySummaryNeeds()


@pytest.mark.embedded
class TestMongoSummaryNeeds(SummaryNeedsContract):
    @pytest.fixture
    def needs(self, database: MongoDatabase) -> SummaryNeeds:
        return MongoSummaryNeeds(database)
