"""The console with the one writer behind it, at an address."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from tests.services.console.joined import joined
from tests.services.host.terminal import CALL, PROFILES
from tests.serving import serving


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Served from a thread, as commands have a loop of their own."""
    served: list[str] = []
    ready, over = threading.Event(), threading.Event()

    async def serve() -> None:
        world = joined()
        await world.usage.begin(CALL)
        await world.usage.end([CALL])
        await world.profiles.write(PROFILES)
        async with serving(world.application) as address:
            served.append(address)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(30)
    yield served[0]
    over.set()
    thread.join()
