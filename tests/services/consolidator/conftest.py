import pytest

from palimpsest.domain.scope import Layout
from palimpsest.stores.mongo import MongoDatabase
from tests.conftest import SettableClock
from tests.services.consolidator.world import Consolidator, Stores


@pytest.fixture(params=Layout)
def stores(request: pytest.FixtureRequest, database: MongoDatabase) -> Stores:
    return Stores.in_database(database, request.param)


@pytest.fixture
def consolidator(stores: Stores, clock: SettableClock) -> Consolidator:
    return Consolidator(stores, clock)
