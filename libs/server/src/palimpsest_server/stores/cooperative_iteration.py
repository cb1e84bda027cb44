"""Iteration that lets other tasks run, so that long preparation does not block the event loop."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

ItemT = TypeVar("ItemT")

MAX_UNINTERRUPTED_SECONDS = 0.002


async def iterate_cooperatively(
    items: Iterable[ItemT], *, maximum_seconds: float = MAX_UNINTERRUPTED_SECONDS
) -> AsyncIterator[ItemT]:
    """Yield the items, and let other tasks run each time `maximum_seconds` have passed."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    for item in items:
        yield item
        if loop.time() - since > maximum_seconds:
            await asyncio.sleep(0)
            since = loop.time()
