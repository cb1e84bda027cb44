"""One contract for profiles, and one for whose are to be made anew, in MongoDB and in memory."""

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.profiles import MongoProfileNeeds, MongoProfiles
from palimpsest_server.stores.profiles import (
    InMemoryProfileNeeds,
    InMemoryProfiles,
    ProfileNeeds,
    ProfileStore,
)
from tests.contracts.profile_contract import ProfileContract, ProfileNeedsContract


class TestInMemoryProfiles(ProfileContract):
    @pytest.fixture
    def profiles(self) -> ProfileStore:
        return InMemoryProfiles()


@pytest.mark.embedded
class TestMongoProfiles(ProfileContract):
    @pytest.fixture
    def profiles(self, database: MongoDatabase) -> ProfileStore:
        return MongoProfiles(database)


class TestInMemoryProfileNeeds(ProfileNeedsContract):
    @pytest.fixture
    def needs(self) -> ProfileNeeds:
        return InMemoryProfileNeeds()


@pytest.mark.embedded
class TestMongoProfileNeeds(ProfileNeedsContract):
    @pytest.fixture
    def needs(self, database: MongoDatabase) -> ProfileNeeds:
        return MongoProfileNeeds(database)
