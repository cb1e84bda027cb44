"""Waiting for what nobody announces: processes that end, numbers that rise."""

import asyncio
from collections.abc import Callable


async def eventually(condition: Callable[[], object], *, within_seconds: float = 60.0) -> None:
    """Return when the condition holds; it is cheap and asked every 20 ms.

    Raises:
        TimeoutError: it did not come to hold.
    """
    async with asyncio.timeout(within_seconds):
        while not condition():  # noqa: ASYNC110 - a condition of another process sets no event
            await asyncio.sleep(0.02)
