"""Reading ahead: the next page is under way while the present one is worked off."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Iterable
from typing import Any, TypeVar

PageT = TypeVar("PageT")


async def read_ahead(reads: Iterable[Coroutine[Any, Any, PageT]]) -> AsyncGenerator[PageT, None]:
    """Yield what each of these reads returns, in their order; at most one is ahead."""
    under_way: asyncio.Task[PageT] | None = None
    try:
        for read in reads:
            page, under_way = under_way, asyncio.create_task(read, name="read ahead")
            if page is not None:
                yield await page
        if under_way is not None:
            yield await under_way
    finally:
        if under_way is not None:
            under_way.cancel()
