import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator


@pytest.fixture
def stores(database: MongoDatabase) -> Stores:
    return Stores.in_database(database)


@pytest.fixture
def consolidator(stores: Stores, clock: SettableClock) -> Consolidator:
    return Consolidator(stores, clock)
