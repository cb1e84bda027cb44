"""Lists of memories for the embedded database, read newest first in windows of recording time.

`DatabaseLimit.NO_INDEXED_SORT`: to sort, that database reads all that a query finds, and a limit saves
nothing. It reads no more than the range of an index if the query names nothing else. So a list is read
window by window until it is long enough. Windows hold about as many memories each, however fast they
came, because an import records those of a year in a minute: one memory in 32 carries a mark, and windows
end at marked memories.
"""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from palimpsest_server.stores.listed_scopes import sort_ids
from palimpsest_server.stores.mongo.database import Document
from palimpsest_server.stores.mongo.list_filter import ListFilter, SharedCollection
from palimpsest_server.stores.mongo.memory_lists import ListPlace, sort_newest_first
from palimpsest_server.stores.mongo.window_marks import MEMORIES_PER_MARK, WINDOW_MARK

MOST_RANGES = 24
"""Ranges read for one window, for each agent and status. If there were more, the user's range is read whole."""


async def find_newest_in_windows(
    collection: Any,
    shared: SharedCollection,
    which: ListFilter,
    *,
    limit: int,
    after: ListPlace | None,
) -> list[Document]:
    """Return the first memories behind a place, as stored: what `find_newest` returns."""
    marked = await _read_marked_times(collection, shared.user_id)
    ranges = _list_ranges(shared, which)
    found: list[Document] = []
    for window in _cut_windows(marked, after, width=limit // MEMORIES_PER_MARK + 2):
        pages = await asyncio.gather(*(_read(collection, each, window) for each in ranges))
        found += sort_newest_first(
            document
            for page in pages
            for document in page
            if which.accepts(document)
            and shared.holds(document)
            and (after is None or after.is_before(document))
        )
        if len(found) >= limit:
            break
    return found[:limit]


async def _read_marked_times(collection: Any, user_id: str) -> Sequence[datetime]:
    """Return the recording times of a user's marked memories, newest first, each once."""
    marked = await collection.find({WINDOW_MARK: user_id}, {"recorded_at": 1}).to_list(None)
    return sorted({document["recorded_at"] for document in marked}, reverse=True)


def _cut_windows(
    marked: Sequence[datetime], after: ListPlace | None, *, width: int
) -> Iterator[Document]:
    """Yield conditions on the recording time, newest first.

    Each window is twice as wide as the one before, so that few are read where few memories match.
    """
    until: Document = {} if after is None else {"$lte": after.recorded_at}
    earlier = [at for at in marked if after is None or at <= after.recorded_at]
    while len(earlier) >= width:
        since = earlier[width - 1]
        yield {"$gte": since, **until}
        until, earlier, width = {"$lt": since}, earlier[width:], 2 * width
    yield until


def _list_ranges(shared: SharedCollection, which: ListFilter) -> list[Document]:
    """Return queries that begin an index together with a condition on the recording time."""
    own: Document = {"scope.user_id": shared.user_id}
    statuses = which.statuses
    if statuses is None or len(shared.agent_ids) * len(statuses) > MOST_RANGES:
        return [own]
    return [
        {**own, "scope.agent_id": agent_id, "status": status}
        for agent_id in sort_ids(shared.agent_ids)
        for status in sorted(status.value for status in statuses)
    ]


async def _read(collection: Any, own: Document, window: Document) -> list[Document]:
    recorded = {"recorded_at": window} if window else {}
    documents: list[Document] = await collection.find({**own, **recorded}).to_list(None)
    return documents
