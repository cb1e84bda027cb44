from collections.abc import AsyncIterator

import pytest

from tests.support.clock import SettableClock
from tests.support.models.model_server import ModelServer, model_server
from tests.support.services.extractor.world import World
from tests.support.stores.ledger import InMemoryLedger


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as running:
        yield running


@pytest.fixture
def world(clock: SettableClock) -> World:
    return World(InMemoryLedger(), clock)
