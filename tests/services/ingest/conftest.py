"""What the tests of ingest share."""

import pytest

from tests.support.services.ingest.world import World


@pytest.fixture
def world() -> World:
    return World()
