"""A server that answers as it is told, and a client of it."""

from collections.abc import AsyncIterator

import pytest

from palimpsest.client import PalimpsestClient
from tests.support.palimpsest.client.answering_server import NOON, Server, application_of
from tests.support.serving import serving


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
async def url(server: Server) -> AsyncIterator[str]:
    async with serving(application_of(server)) as address:
        yield address


@pytest.fixture
async def client(url: str) -> AsyncIterator[PalimpsestClient]:
    async with PalimpsestClient(http_url=url, timeout_seconds=5, clock=lambda: NOON) as entered:
        yield entered
