"""Letting others run while much is prepared: the event loop is never held for long."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

ItemT = TypeVar("ItemT")

MAX_UNINTERRUPTED_SECONDS = 0.002


async def iterate_cooperatively(items: Iterable[ItemT]) -> AsyncIterator[ItemT]:
    """The same items; whenever working on them has taken a while, other tasks get their turn."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    for item in items:
        yield item
        if loop.time() - since > MAX_UNINTERRUPTED_SECONDS:
            await asyncio.sleep(0)
            since = loop.time()
