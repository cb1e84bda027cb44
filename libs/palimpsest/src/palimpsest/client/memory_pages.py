"""Memories of a list, read page by page."""

from collections.abc import AsyncIterator
from typing import Any

from palimpsest.client.client import PalimpsestClient
from palimpsest.model.memory import Memory

LARGEST_PAGE = 500
"""The most memories that the API returns at once."""


async def iterate_memories(client: PalimpsestClient, **query: Any) -> AsyncIterator[Memory]:
    """Yield all memories of a list in its order; `query` are the arguments of `client.list`."""
    cursor: str | None = None
    while True:
        page = await client.list(**query, limit=LARGEST_PAGE, cursor=cursor)
        for memory in page.memories:
            yield memory
        if (cursor := page.next_cursor) is None:
            return
