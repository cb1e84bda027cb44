"""Reads and updates of many documents by their ids, in short lists: `DatabaseLimit.LONG_ID_LISTS`."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pymongo import UpdateMany

from palimpsest_server.stores.mongo.database import Document

IDS_AT_ONCE = 32
"""Ids in one list. With 250 of them a document costs two to three times as much."""


async def find_by_ids(
    collection: Any, ids: Iterable[str], fields: Document | None = None
) -> list[Document]:
    """Return the documents of these ids, in no order.

    Args:
        collection: a motor collection, sealed or not.
        ids: of the documents; unknown ones are left out.
        fields: that are read; None for all.
    """
    pages = await asyncio.gather(
        *(
            collection.find({"_id": {"$in": some}}, fields).to_list(None)
            for some in _split_ids(list(ids))
        )
    )
    return [document for page in pages for document in page]


def build_updates(
    ids: Sequence[str], update: Document, *, only: Document | None = None
) -> list[UpdateMany]:
    """Return the writes that change these documents alike, if they meet the condition `only`."""
    return [UpdateMany({"_id": {"$in": some}, **(only or {})}, update) for some in _split_ids(ids)]


def _split_ids(ids: Sequence[str]) -> Iterator[list[str]]:
    for start in range(0, len(ids), IDS_AT_ONCE):
        yield list(ids[start : start + IDS_AT_ONCE])
