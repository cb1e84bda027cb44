"""Reads of the first documents of an order, by the database or in this process."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from palimpsest_server.stores.mongo.database import Document
from palimpsest_server.stores.mongo.id_lists import find_by_ids

Order = Sequence[tuple[str, int]]
"""Fields, each with 1 or -1, that decide one after the other; the last is the id."""

FindFirst = Callable[[Any, Document, Order, int], Awaitable[list[Document]]]
"""Finds at most so many documents of a query in a collection, the first in an order."""


async def find_first(collection: Any, where: Document, order: Order, limit: int) -> list[Document]:
    """Have the database sort."""
    found: list[Document] = await collection.find(where).sort(order).limit(limit).to_list(None)
    return found


async def choose_first(
    collection: Any, where: Document, order: Order, limit: int
) -> list[Document]:
    """Sort here what the order looks at, and read the first documents by their ids.

    The embedded database takes three times as long to sort ten thousand documents as to hand these
    fields out: `DatabaseLimit.NO_INDEXED_SORT`.
    """
    fields = dict.fromkeys((field for field, _ in order), 1)
    placed: list[Document] = await collection.find(where, fields).to_list(None)
    for field, direction in reversed(order):
        placed.sort(key=_by(field), reverse=direction < 0)
    ids = [document["_id"] for document in placed[:limit]]
    by_id = {document["_id"]: document for document in await find_by_ids(collection, ids)}
    return [by_id[each] for each in ids if each in by_id]


def _by(field: str) -> Callable[[Document], tuple[bool, Any]]:
    def read(document: Document) -> tuple[bool, Any]:
        value = document.get(field)
        return value is not None, value

    return read
