import pytest

from tests.support.clock import SettableClock
from tests.support.services.extractor.world import World
from tests.support.stores.ledger import InMemoryLedger


@pytest.fixture
def world(clock: SettableClock) -> World:
    return World(InMemoryLedger(), clock)
