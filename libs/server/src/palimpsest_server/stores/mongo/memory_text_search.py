"""Search and order very many memories of a user by their words and figures, which this process keeps."""

import asyncio
from bisect import bisect_right
from collections.abc import Collection, Container, Iterator, Sequence
from heapq import merge
from itertools import islice

from palimpsest.model.scope import Scope
from palimpsest_server.stores.listed_scopes import EveryProject, ListedScopes
from palimpsest_server.stores.memories import ContentFilter, MemoryPlace, SearchedPage
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.id_lists import find_by_ids
from palimpsest_server.stores.mongo.list_filter import ListFilter, read_scope
from palimpsest_server.stores.mongo.memory_lists import (
    ListPlace,
    accepts_document,
    read_place,
    sort_newest_first,
)
from palimpsest_server.stores.mongo.memory_texts import MemoryTexts, SearchedText, place_text

WORTH_READING = 1_000
"""Fewer memories are read from the database, if their words are not kept yet."""


class MemoryTextSearch:
    def __init__(self, database: MongoDatabase) -> None:
        self._database = database
        self._texts = MemoryTexts(database)

    def serves(
        self,
        places: Collection[tuple[str, str]],
        content: ContentFilter,
        which: ListFilter,
        limit: int,
    ) -> bool:
        """Return whether so many memories in these places (collection, user) are searched here."""
        if content == ContentFilter() and which.as_of is not None:
            return False
        return limit >= WORTH_READING or all(self._texts.knows(*place) for place in places)

    async def find(
        self,
        places: Collection[tuple[str, str]],
        scopes: ListedScopes,
        content: ContentFilter,
        which: ListFilter,
        *,
        limit: int,
        after: ListPlace | None,
    ) -> SearchedPage:
        """Compare the next `limit` memories of these scopes, and return the places of those that match."""
        held = scopes if isinstance(scopes, EveryProject) else frozenset(scopes)
        lists = [
            _list_placed(name, await self._texts.read(name, user_id), held, which, after)
            for name, user_id in places
        ]
        compared = list(islice(merge(*lists), limit))
        last_id = compared[-1][1] if compared else None
        if content == ContentFilter():
            return SearchedPage(
                [_read_text_place(text) for *_, text in compared], len(compared), last_id
            )
        ids: dict[str, list[str]] = {}
        for *_, name, text in compared:
            if content.accepts(text.occurred_at, text.tags, (text.words,), text.attribute):
                ids.setdefault(name, []).append(text.id)
        pages = await asyncio.gather(
            *(find_by_ids(self._database.named(name), some) for name, some in ids.items())
        )
        matching = (
            document
            for page in pages
            for document in page
            if which.accepts(document)
            and read_scope(document) in held
            and accepts_document(content, document)
        )
        found = [read_place(document) for document in sort_newest_first(matching)]
        return SearchedPage(found, len(compared), last_id)


def _read_text_place(text: SearchedText) -> MemoryPlace:
    return MemoryPlace(text.id, text.recorded_at, text.occurred_at, text.pinned, text.importance)


def _list_placed(
    name: str,
    texts: Sequence[SearchedText],
    scopes: Container[Scope],
    which: ListFilter,
    after: ListPlace | None,
) -> Iterator[tuple[float, str, str, SearchedText]]:
    """Yield the place of each text in a list, then its collection and itself."""
    start = 0
    if after is not None:
        start = bisect_right(texts, (-after.recorded_at.timestamp(), after.id), key=place_text)
    for text in islice(texts, start, None):
        if text.scope in scopes and which.accepts_kind(text.status, text.kind):
            yield *place_text(text), name, text
