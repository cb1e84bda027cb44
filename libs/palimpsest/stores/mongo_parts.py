"""What may be written a few documents at a time, so that others get their answers in between."""

import asyncio
from collections.abc import Iterator, Sequence
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


async def write_in_parts(
    collection: Any, writes: Sequence[Any], *, at_leisure: bool = False
) -> None:
    """Bulk writes in any order; one that a unique index refuses was somebody else's, and no error.

    Args:
        collection: of motor, sealed or not.
        writes: as `bulk_write` takes them.
        at_leisure: leave the database to others after each part for as long as it took.
    """
    for part in in_parts(writes):
        began = monotonic()
        try:
            await collection.bulk_write(part, ordered=False)
        except BulkWriteError as error:
            only_duplicates(error)
        if at_leisure:
            await asyncio.sleep(monotonic() - began)
