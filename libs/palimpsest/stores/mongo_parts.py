"""What may be written a few documents at a time, so that others get their answers in between."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from time import monotonic
from typing import Any, TypeVar

from pymongo.errors import BulkWriteError

from palimpsest.stores.mongo_failures import only_duplicates

_WRITTEN_AT_ONCE = 8
"""Documents in one command: the embedded database answers nobody meanwhile, some 4 ms for each.
Recalls waited 400 ms for a hundred."""

ItemT = TypeVar("ItemT")


def in_parts(items: Sequence[ItemT]) -> Iterator[Sequence[ItemT]]:
    """All of them in order, so many as one command should write."""
    for start in range(0, len(items), _WRITTEN_AT_ONCE):
        yield items[start : start + _WRITTEN_AT_ONCE]


async def at_leisure(items: Sequence[ItemT]) -> AsyncIterator[Sequence[ItemT]]:
    """The same, leaving the database to others after each part for as long as it took."""
    for part in in_parts(items):
        began = monotonic()
        yield part
        await asyncio.sleep(monotonic() - began)


async def write_in_parts(collection: Any, writes: Sequence[Any]) -> None:
    """Bulk writes in any order; one that a unique index refuses was somebody else's, and no error.

    Args:
        collection: of motor, sealed or not.
        writes: as `bulk_write` takes them.
    """
    for part in in_parts(writes):
        await write_part(collection, part)


async def write_part(collection: Any, writes: Sequence[Any]) -> None:
    """All of these in one command, as `write_in_parts` does it."""
    try:
        await collection.bulk_write(writes, ordered=False)
    except BulkWriteError as error:
        only_duplicates(error)
