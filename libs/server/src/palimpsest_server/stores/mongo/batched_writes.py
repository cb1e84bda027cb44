"""Writes in batches, so that other callers get their answers in between."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from time import monotonic
from typing import Any, TypeVar

from pymongo.errors import BulkWriteError

from palimpsest_server.stores.mongo.failures import require_only_duplicates

_WRITTEN_AT_ONCE = 8
"""Documents in one command: `DatabaseLimit.ONE_COMMAND_AT_A_TIME`. With 100, recalls waited 400 ms."""

ItemT = TypeVar("ItemT")


def split_into_batches(items: Sequence[ItemT]) -> Iterator[Sequence[ItemT]]:
    """Yield the items in order, in batches of 8."""
    for start in range(0, len(items), _WRITTEN_AT_ONCE):
        yield items[start : start + _WRITTEN_AT_ONCE]


async def iterate_batches_with_pauses(items: Sequence[ItemT]) -> AsyncIterator[Sequence[ItemT]]:
    """Yield batches, and after each leave the database to others for as long as the batch took."""
    for part in split_into_batches(items):
        began = monotonic()
        yield part
        await asyncio.sleep(monotonic() - began)


async def write_in_batches(collection: Any, writes: Sequence[Any]) -> None:
    """Write in batches, in any order. A write refused by a unique index was done by another process already.

    Args:
        collection: a motor collection, sealed or not.
        writes: operations as `bulk_write` takes them.
    """
    for part in split_into_batches(writes):
        await write_batch(collection, part)


async def write_batch(collection: Any, writes: Sequence[Any]) -> None:
    """Write all of `writes` in one command, with the same treatment of refused writes."""
    try:
        await collection.bulk_write(writes, ordered=False)
    except BulkWriteError as error:
        require_only_duplicates(error)
