"""The console with the one writer behind it, at an address."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pydantic import SecretStr

from palimpsest_server.runtime.settings import Settings
from tests.support.services.console.routes.joined import joined
from tests.support.services.host.terminal import CALL, KEY, PROFILES, TRACE
from tests.support.serving import serving


@contextmanager
def served(settings: Settings) -> Iterator[str]:
    """From a thread, as commands have a loop of their own."""
    addresses: list[str] = []
    ready, over = threading.Event(), threading.Event()

    async def serve() -> None:
        world = joined()
        world.settings = settings
        await world.usage.begin(CALL)
        await world.usage.end([CALL])
        await world.profiles.write(PROFILES)
        world.traces.keep("lin", TRACE)
        async with serving(world.application) as address:
            addresses.append(address)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(30)
    yield addresses[0]
    over.set()
    thread.join()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(Settings()) as address:
        yield address


@pytest.fixture(scope="module")
def locked_url() -> Iterator[str]:
    """Of services that ask for a key."""
    with served(Settings().model_copy(update={"api_key": SecretStr(KEY)})) as address:
        yield address
