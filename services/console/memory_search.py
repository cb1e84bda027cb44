"""Lists of memories by tag, words, time and order. Words are encrypted where content is: so read here."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from palimpsest.api.resources import MemoryQuery, MemorySort
from palimpsest.model.errors import PermanentError, RecordNotFound
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Scope
from palimpsest_server.stores.memories import MemoryReader

PAGE = 500
MAXIMUM_SORTED = 20_000
"""More memories than this are put in no other order than that in which they are stored."""

_ORDERS: Mapping[MemorySort, Callable[[Memory], Any]] = {
    MemorySort.OLDEST: lambda memory: (memory.recorded_at, memory.id),
    MemorySort.OCCURRED: lambda memory: (-memory.occurred_at.timestamp(), memory.id),
    MemorySort.IMPORTANCE: lambda memory: (not memory.pinned, -memory.importance, memory.id),
}


class TooManyToSort(PermanentError):
    """A list that is too long to be sorted while somebody waits."""

    reason = "too_many_to_sort"


async def search_memories(
    memories: MemoryReader, scopes: Sequence[Scope], query: MemoryQuery
) -> list[Memory]:
    """Return the matching memories of these scopes, of one page and one more, if there is one.

    Raises:
        RecordNotFound: the cursor is no memory that matches.
        TooManyToSort: there are more than 20,000 to sort.
    """
    if query.sort is MemorySort.NEWEST:
        return await _take_newest(memories, scopes, query)
    found = [memory async for memory in _matching(memories, scopes, query, None)]
    found.sort(key=_ORDERS[query.sort])
    if query.cursor is None:
        return found[: query.limit + 1]
    place = next((at for at, memory in enumerate(found) if memory.id == query.cursor), None)
    if place is None:
        raise RecordNotFound("no memory of this list has the id of the cursor")
    return found[place + 1 : place + query.limit + 2]


async def _take_newest(
    memories: MemoryReader, scopes: Sequence[Scope], query: MemoryQuery
) -> list[Memory]:
    found: list[Memory] = []
    async for memory in _matching(memories, scopes, query, query.cursor):
        found.append(memory)
        if len(found) > query.limit:
            break
    return found


async def _matching(
    memories: MemoryReader, scopes: Sequence[Scope], query: MemoryQuery, after: str | None
) -> AsyncIterator[Memory]:
    looked_at = 0
    while True:
        page = await memories.list(
            scopes,
            statuses=query.statuses,
            kinds=query.kind,
            as_of=query.as_of,
            limit=PAGE,
            after=after,
        )
        for memory in page:
            if matches(memory, query):
                yield memory
        looked_at += len(page)
        if len(page) < PAGE:
            return
        if looked_at >= MAXIMUM_SORTED and query.sort is not MemorySort.NEWEST:
            raise TooManyToSort(
                f"there are more than {MAXIMUM_SORTED} memories: leave `sort` out, or ask for fewer"
                " by kind, layer or status"
            )
        after = page[-1].id


def matches(memory: Memory, query: MemoryQuery) -> bool:
    """Return whether a memory has the tags, the words and the time that are asked for."""
    if query.since is not None and memory.occurred_at < query.since:
        return False
    if query.until is not None and memory.occurred_at >= query.until:
        return False
    tags = {tag.casefold() for tag in memory.tags}
    if query.tag is not None and not {tag.casefold() for tag in query.tag} <= tags:
        return False
    if query.text is None:
        return True
    words = (memory.content, memory.summary, *(piece.quote for piece in memory.evidence))
    return any(query.text.casefold() in word.casefold() for word in words)
