"""Lists of memories in MongoDB, read newest first in pages, without an `$or`.

A query of plain fields stays within one user's index range: `DatabaseLimit.NO_INDEX_UNDER_AND_OR`.
"""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.memories import (
    ContentFilter,
    Memories,
    MemoryFigures,
    MemoryPlace,
)
from palimpsest_server.stores.mongo.database import Document, from_document
from palimpsest_server.stores.mongo.first_documents import FindFirst
from palimpsest_server.stores.mongo.list_filter import ListFilter, SharedCollection

NEWEST_FIRST = [("recorded_at", -1), ("_id", 1)]
_FIGURES = ("status", "kind", "importance", "recorded_at", "epoch")
MOST_IMPORTANT_FIRST = [("pinned", -1), ("importance", -1), *NEWEST_FIRST]


class ListPlace(NamedTuple):
    """The place of a memory in a list, newest first."""

    recorded_at: datetime
    id: str

    def is_before(self, document: Document) -> bool:
        """Return whether a stored memory comes later in the list."""
        recorded_at = document["recorded_at"]
        if recorded_at == self.recorded_at:
            return bool(document["_id"] > self.id)
        return bool(recorded_at < self.recorded_at)


async def find_newest(
    collection: Any,
    shared: SharedCollection,
    which: ListFilter,
    *,
    limit: int,
    after: ListPlace | None,
) -> list[Document]:
    """Return the first memories behind a place, as stored, in scopes of one user that share a collection.

    The query names agents and projects separately, so it may find a project with another agent. That is
    rare: the scopes of the result are compared, and the next page is read for missing memories.
    """
    where = {**shared.build_query(), **which.build_query()}
    documents: list[Document] = []
    while True:
        page = await _page(collection, where, limit, after)
        documents += [document for document in page if shared.holds(document)]
        if len(page) < limit or len(documents) >= limit:
            return documents
        after = ListPlace(page[-1]["recorded_at"], page[-1]["_id"])


async def find_most_important(
    find_first: FindFirst, collection: Any, scopes: Sequence[Scope], *, limit: int
) -> Memories:
    """Return active memories in scopes of one user that share a collection, most important first.

    The query names agents and projects separately. A reader's scopes combine each of its agents with
    each of its projects, so the result is exact. For other scopes fewer memories may be returned.
    """
    exact = frozenset(scopes)
    where = {**SharedCollection.of(scopes).build_query(), "status": Status.ACTIVE.value}
    documents = await find_first(collection, where, MOST_IMPORTANT_FIRST, limit)
    memories = await build_memories(documents)
    return [memory for memory in memories if memory.scope in exact]


async def read_memories(found: Any) -> Memories:
    """Read all memories of a cursor at once.

    An `async for` costs motor a coroutine per document.
    """
    return await build_memories(await found.to_list(None))


async def build_memories(documents: Sequence[Document]) -> Memories:
    """Build memories from stored documents, and let other tasks run in between."""
    return [from_document(Memory, document) async for document in iterate_cooperatively(documents)]


def read_place(document: Document) -> MemoryPlace:
    """Return what the orders of lists look at in a stored memory."""
    return MemoryPlace(
        document["_id"],
        document["recorded_at"],
        document["occurred_at"],
        document["pinned"],
        document["importance"],
    )


async def read_figures(collection: Any, where: Document) -> list[MemoryFigures]:
    """Read what is counted of all memories of a query."""
    documents = await collection.find(where, dict.fromkeys(_FIGURES, 1)).to_list(None)
    return [
        MemoryFigures(
            document["_id"],
            Status(document["status"]),
            Kind(document["kind"]),
            document["importance"],
            document["recorded_at"],
            document.get("epoch", 0),
        )
        async for document in iterate_cooperatively(documents)
    ]


def accepts_document(content: ContentFilter, document: Document) -> bool:
    """Compare a stored memory without building it, which costs much more than comparing words."""
    quotes = (evidence["quote"] for evidence in document.get("evidence", ()))
    texts = (document["content"], document["summary"], *quotes)
    return content.accepts(
        document["occurred_at"], document.get("tags", ()), texts, document.get("attribute")
    )


def sort_newest_first(documents: Iterable[Document]) -> list[Document]:
    """Sort stored memories as a list has them."""
    by_id = sorted(documents, key=lambda document: document["_id"])
    return sorted(by_id, key=lambda document: document["recorded_at"], reverse=True)


async def _page(
    collection: Any, where: Document, limit: int, after: ListPlace | None
) -> list[Document]:
    if after is None:
        return await _sorted(collection, where, limit)
    at_once = {**where, "recorded_at": after.recorded_at, "_id": {"$gt": after.id}}
    before = {**where, "recorded_at": {"$lt": after.recorded_at}}
    pages = await asyncio.gather(*(_sorted(collection, each, limit) for each in (at_once, before)))
    return [document for page in pages for document in page][:limit]


async def _sorted(collection: Any, where: Document, limit: int) -> list[Document]:
    documents: list[Document] = (
        await collection.find(where).sort(NEWEST_FIRST).limit(limit).to_list(None)
    )
    return documents


def query_active(namespace: Namespace) -> Document:
    """Return the query of a namespace's active memories."""
    return query_status(namespace, Status.ACTIVE)


def query_status(namespace: Namespace, status: Status) -> Document:
    """Return the query of a namespace's memories with a status."""
    return {**query_namespace(namespace), "status": status.value}


def query_namespace(namespace: Namespace) -> Document:
    """Return the query of a namespace's memories."""
    return {"scope.user_id": namespace.user_id, "scope.agent_id": namespace.agent_id}
