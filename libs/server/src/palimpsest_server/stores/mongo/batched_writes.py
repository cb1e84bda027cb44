"""Writes in batches, so that other callers get their answers in between."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from time import monotonic
from typing import Any, TypeVar

from pymongo.errors import BulkWriteError

from palimpsest_server.stores.mongo.failures import require_only_duplicates

_WRITTEN_AT_ONCE = 8
"""Documents in one command: `DatabaseLimit.ONE_COMMAND_AT_A_TIME`. Recalls waited 400 ms for 100."""

ItemT = TypeVar("ItemT")


def split_into_batches(items: Sequence[ItemT]) -> Iterator[Sequence[ItemT]]:
    """Yield the items in order, in batches as large as one command should write."""
    for start in range(0, len(items), _WRITTEN_AT_ONCE):
        yield items[start : start + _WRITTEN_AT_ONCE]


async def iterate_batches_with_pauses(items: Sequence[ItemT]) -> AsyncIterator[Sequence[ItemT]]:
    """The same, leaving the database to others after each part for as long as it took."""
    for part in split_into_batches(items):
        began = monotonic()
        yield part
        await asyncio.sleep(monotonic() - began)


async def write_in_batches(collection: Any, writes: Sequence[Any]) -> None:
    """Bulk writes in any order; one that a unique index refuses was somebody else's, and no error.

    Args:
        collection: of motor, sealed or not.
        writes: as `bulk_write` takes them.
    """
    for part in split_into_batches(writes):
        await write_batch(collection, part)


async def write_batch(collection: Any, writes: Sequence[Any]) -> None:
    """Write all of `writes` in one command, as `write_in_parts` does."""
    try:
        await collection.bulk_write(writes, ordered=False)
    except BulkWriteError as error:
        require_only_duplicates(error)
