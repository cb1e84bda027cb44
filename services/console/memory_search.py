"""Lists of memories by tag, words, time and order. Words are encrypted where content is: so read here."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from palimpsest.api.resources import MemoryQuery, MemorySort
from palimpsest.model.errors import PermanentError, RecordNotFound
from palimpsest.model.memory import Memory
from palimpsest_language.attributes.attribute_names import canonical_attribute
from palimpsest_server.stores.listed_scopes import ListedScopes
from palimpsest_server.stores.memories import ContentFilter, MemoryPlace, MemoryReader

FIRST_PAGE = 125
"""Memories that are compared first, newest first: a page of the list, if every second one matches."""
LARGEST_PAGE = 4_000
"""The most memories that are compared at once, as many as in another order from the first page on.

Newest first, each page is four times as large as the one before."""
MAXIMUM_SORTED = 20_000
"""More memories than this are put in no other order than that in which they are stored."""

_ORDERS: Mapping[MemorySort, Callable[[MemoryPlace], Any]] = {
    MemorySort.OLDEST: lambda memory: (memory.recorded_at, memory.id),
    MemorySort.OCCURRED: lambda memory: (-memory.occurred_at.timestamp(), memory.id),
    MemorySort.IMPORTANCE: lambda memory: (not memory.pinned, -memory.importance, memory.id),
}


class TooManyToSort(PermanentError):
    """A list that is too long to be sorted while somebody waits."""

    reason = "too_many_to_sort"


async def search_memories(
    memories: MemoryReader, scopes: ListedScopes, query: MemoryQuery
) -> list[Memory]:
    """Return the matching memories of these scopes, of one page and one more, if there is one.

    Raises:
        RecordNotFound: the cursor is no memory that matches.
        TooManyToSort: there are more than 20,000 to sort.
    """
    if query.sort is MemorySort.NEWEST:
        places = await _take_newest(memories, scopes, query)
    else:
        places = await _take_sorted(memories, scopes, query, _ORDERS[query.sort])
    found: list[Memory] = []
    # A memory that went meanwhile makes room for those behind it.
    while places and (missing := query.limit + 1 - len(found)):
        ids, places = [place.id for place in places[:missing]], places[missing:]
        by_id = {memory.id: memory for memory in await memories.by_ids(scopes, ids)}
        found += [by_id[memory_id] for memory_id in ids if memory_id in by_id]
    return found


async def _take_sorted(
    memories: MemoryReader,
    scopes: ListedScopes,
    query: MemoryQuery,
    order: Callable[[MemoryPlace], Any],
) -> list[MemoryPlace]:
    found = [place async for place in _matching(memories, scopes, query, None)]
    found.sort(key=order)
    if query.cursor is None:
        return found
    at = next((at for at, place in enumerate(found) if place.id == query.cursor), None)
    if at is None:
        raise RecordNotFound("no memory of this list has the id of the cursor")
    return found[at + 1 :]


async def _take_newest(
    memories: MemoryReader, scopes: ListedScopes, query: MemoryQuery
) -> list[MemoryPlace]:
    found: list[MemoryPlace] = []
    async for place in _matching(memories, scopes, query, query.cursor):
        found.append(place)
        if len(found) > query.limit:
            break
    return found


async def _matching(
    memories: MemoryReader, scopes: ListedScopes, query: MemoryQuery, after: str | None
) -> AsyncIterator[MemoryPlace]:
    content, compared = build_content_filter(query), 0
    size = FIRST_PAGE if query.sort is MemorySort.NEWEST else LARGEST_PAGE
    while True:
        page = await memories.search(
            scopes,
            content,
            statuses=query.statuses,
            kinds=query.kind,
            as_of=query.as_of,
            limit=size,
            after=after,
        )
        for place in page.places:
            yield place
        compared += page.compared
        if page.compared < size:
            return
        if compared >= MAXIMUM_SORTED and query.sort is not MemorySort.NEWEST:
            raise TooManyToSort(
                f"there are more than {MAXIMUM_SORTED} memories: leave `sort` out, or ask for fewer"
                " by kind, layer or status"
            )
        after, size = page.last_id, min(4 * size, LARGEST_PAGE)


def build_content_filter(query: MemoryQuery) -> ContentFilter:
    """Return the tags, the words and the time that are asked for."""
    return ContentFilter(
        text=query.text,
        attribute=query.text and canonical_attribute(query.text),
        tags=query.tag or frozenset(),
        since=query.since,
        until=query.until,
    )
