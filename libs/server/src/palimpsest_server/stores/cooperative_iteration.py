"""Letting others run while much is prepared: the event loop is never held for long."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

ItemT = TypeVar("ItemT")

MAX_UNINTERRUPTED_SECONDS = 0.002


async def iterate_cooperatively(
    items: Iterable[ItemT], *, maximum_seconds: float = MAX_UNINTERRUPTED_SECONDS
) -> AsyncIterator[ItemT]:
    """The same items; whenever working on them has taken so long, other tasks get their turn."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    for item in items:
        yield item
        if loop.time() - since > maximum_seconds:
            await asyncio.sleep(0)
            since = loop.time()
