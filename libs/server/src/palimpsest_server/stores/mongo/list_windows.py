"""Lists of memories for the embedded database, read newest first in windows of recording time.

`DatabaseLimit.NO_INDEXED_SORT`: to sort, that database reads all that a query finds, and a limit saves
nothing. It reads no more than the range of an index if the query names nothing else. So a list is read
window by window until it is long enough. Windows hold about as many memories each, however fast they
came, because an import records those of a year in a minute: one memory in 32 carries a mark, and windows
end at marked memories.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from palimpsest_server.stores.listed_scopes import sort_ids
from palimpsest_server.stores.mongo.database import Document
from palimpsest_server.stores.mongo.list_filter import ListFilter, SharedCollection
from palimpsest_server.stores.mongo.memory_lists import ListPlace, sort_newest_first
from palimpsest_server.stores.mongo.window_marks import MEMORIES_PER_MARK, WINDOW_MARK

MOST_RANGES = 24
"""Ranges read for one window, for each agent and status. If there were more, the user's range is read whole."""

MARKS_PER_READ = 16
"""Width of a window when all memories of a user are read."""


async def find_newest_in_windows(
    collection: Any,
    shared: SharedCollection,
    which: ListFilter,
    *,
    limit: int,
    after: ListPlace | None,
) -> list[Document]:
    """Return the first memories behind a place, as stored: what `find_newest` returns."""
    marked = await _read_marked_times(collection, shared.user_id, after)
    until: Document = {} if after is None else {"$lte": after.recorded_at}
    ranges, width = _list_ranges(shared, which), limit // MEMORIES_PER_MARK + 2
    found: list[Document] = []
    while True:
        since = marked[width - 1] if len(marked) >= width else None
        window = until if since is None else {"$gte": since, **until}
        pages = await asyncio.gather(*(_read(collection, each, window) for each in ranges))
        matching = [
            document
            for page in pages
            for document in page
            if which.accepts(document)
            and shared.holds(document)
            and (after is None or after.is_before(document))
        ]
        found += sort_newest_first(matching)
        if since is None or len(found) >= limit:
            return found[:limit]
        until, marked = {"$lt": since}, marked[width:]
        width = _choose_width(width, matching=len(matching), missing=limit - len(found))


async def cut_into_windows(collection: Any, user_id: str) -> AsyncIterator[Document]:
    """Yield queries that find all memories of a user, some 500 each: `DatabaseLimit.ONE_COMMAND_AT_A_TIME`."""
    until: Document = {}
    for since in (await _read_marked_times(collection, user_id, None))[::MARKS_PER_READ]:
        yield {"scope.user_id": user_id, "recorded_at": {"$gte": since, **until}}
        until = {"$lt": since}
    yield {"scope.user_id": user_id, **({"recorded_at": until} if until else {})}


async def _read_marked_times(
    collection: Any, user_id: str, after: ListPlace | None
) -> Sequence[datetime]:
    """Return the recording times of a user's marked memories from a place on, newest first, each once."""
    marked = await collection.find({WINDOW_MARK: user_id}, {"recorded_at": 1}).to_list(None)
    times = {document["recorded_at"] for document in marked}
    return sorted((at for at in times if after is None or at <= after.recorded_at), reverse=True)


def _choose_width(width: int, *, matching: int, missing: int) -> int:
    """Return the width of the next window, in marks: as many as are likely to hold what is missing.

    It is at most twice that of the last one, however few of its memories matched.
    """
    return min(2 * width, 2 + width * missing // matching) if matching else 2 * width


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
