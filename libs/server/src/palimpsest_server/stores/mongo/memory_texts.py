"""The words of a user's memories, kept in this process for searches that compare many of them.

The embedded database takes most of a second to hand out 10,000 memories, and the page searches with each
letter that somebody types. So the words are read once, and then those of memories that changed: the change
sets since then name them. What is found here is only a candidate, which is read and compared anew.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from palimpsest.model.change_set import ChangeSetProgress
from palimpsest.model.scope import Scope
from palimpsest_server.stores.collections import CHANGE_SETS, CHECKPOINTS
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.mongo.id_lists import find_by_ids
from palimpsest_server.stores.mongo.list_filter import read_scope
from palimpsest_server.stores.mongo.list_windows import cut_into_windows

KEPT_SECONDS = 600.0
"""Words are dropped this long after they were read, whoever searches meanwhile: what was erased goes too."""

ENCRYPTED_KEPT_SECONDS = 60.0
"""The same where content is encrypted: no longer than a process keeps a key that another one destroyed."""

MOST_KEPT = 8
"""Users whose words are kept; 10,000 memories take some 5 MB."""

_FIELDS = dict.fromkeys(
    (
        *("content", "summary", "evidence.quote", "tags", "attribute"),
        *("recorded_at", "occurred_at", "scope", "status", "kind", "pinned", "importance"),
    ),
    1,
)


class SearchedText(NamedTuple):
    """The words of one memory, and its place in a list."""

    recorded_at: datetime
    id: str
    scope: Scope
    status: str
    kind: str
    occurred_at: datetime
    pinned: bool
    importance: float
    attribute: str | None
    tags: tuple[str, ...]
    words: str
    """All that a search compares, without case."""


@dataclass
class _KeptTexts:
    """The words of a user's memories in one collection."""

    revision: int = 0
    """All change sets of the user up to this revision are taken into account."""
    by_id: dict[str, SearchedText] = field(default_factory=dict)
    newest_first: Sequence[SearchedText] = ()
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Searches that come at the same time read the words once."""
    is_read: bool = False


class MemoryTexts:
    def __init__(self, database: MongoDatabase) -> None:
        self._database = database
        self._kept_seconds = KEPT_SECONDS if database.sealing is None else ENCRYPTED_KEPT_SECONDS
        self._kept: dict[tuple[str, str], _KeptTexts] = {}
        """By collection and user, the last searched last."""

    def knows(self, name: str, user_id: str) -> bool:
        """Return whether the words of a user's memories in a collection are kept."""
        return (name, user_id) in self._kept

    async def read(self, name: str, user_id: str) -> Sequence[SearchedText]:
        """Return the words of all memories of a user in a collection, in the order of a list."""
        kept = self._take_out(name, user_id)
        self._kept[name, user_id] = kept
        for place in [*self._kept][:-MOST_KEPT]:
            del self._kept[place]
        async with kept.turn:
            if not kept.is_read:
                kept.revision = await self._read_checkpoint(user_id)
                await self._read_all(name, user_id, kept)
            await self._read_changed(name, user_id, kept)
        return kept.newest_first

    def _take_out(self, name: str, user_id: str) -> _KeptTexts:
        place = (name, user_id)
        kept = self._kept.pop(place, None)
        if kept is None:
            kept = _KeptTexts()
            asyncio.get_running_loop().call_later(self._kept_seconds, self._drop, place, kept)
        return kept

    def _drop(self, place: tuple[str, str], kept: _KeptTexts) -> None:
        if self._kept.get(place) is kept:
            del self._kept[place]

    async def _read_checkpoint(self, user_id: str) -> int:
        """Return a revision up to which all changes stand in the memories."""
        found = await self._database.collection(CHECKPOINTS).find_one({"_id": user_id})
        return int(found["finished"]) if found else 0

    async def _read_all(self, name: str, user_id: str, kept: _KeptTexts) -> None:
        collection = self._database.named(name)
        async for window in cut_into_windows(collection, user_id):
            _take(kept, await collection.find(window, _FIELDS).to_list(None))
        _put_in_order(kept)
        kept.is_read = True

    async def _read_changed(self, name: str, user_id: str, kept: _KeptTexts) -> None:
        """Read memories again that changed meanwhile; those whose change is not applied yet, each time."""
        later = (
            await self._database.collection(CHANGE_SETS)
            .find(
                {"user_id": user_id, "revision": {"$gt": kept.revision}},
                {"revision": 1, "progress": 1, "memory_ids": 1},
            )
            .to_list(None)
        )
        changed = dict.fromkeys(each for one in later for each in one["memory_ids"])
        if changed:
            found = await find_by_ids(self._database.named(name), changed, _FIELDS)
            for gone in changed:
                kept.by_id.pop(gone, None)
            _take(kept, found)
            _put_in_order(kept)
        kept.revision = _find_applied_revision(kept.revision, later)


def _find_applied_revision(revision: int, later: Sequence[Mapping[str, Any]]) -> int:
    """Return the last revision before which every change set is applied."""
    for change_set in sorted(later, key=lambda one: int(one["revision"])):
        if change_set["progress"] == ChangeSetProgress.DECIDED.value:
            break
        revision = change_set["revision"]
    return revision


def _take(kept: _KeptTexts, documents: Sequence[Document]) -> None:
    for document in documents:
        kept.by_id[document["_id"]] = build_searched_text(document)


def build_searched_text(document: Document) -> SearchedText:
    """Return the words of a stored memory."""
    quotes = (evidence["quote"] for evidence in document.get("evidence", ()))
    tags = tuple(document.get("tags", ()))
    return SearchedText(
        document["recorded_at"],
        document["_id"],
        read_scope(document),
        document["status"],
        document["kind"],
        document["occurred_at"],
        document["pinned"],
        document["importance"],
        document.get("attribute"),
        tags,
        # No search has this character, so none matches across two texts.
        "\0".join((document["content"], document["summary"], *quotes)).casefold(),
    )


def _put_in_order(kept: _KeptTexts) -> None:
    # Nearly all are in order already, which makes one sort of them by one key quick.
    kept.newest_first = sorted(kept.by_id.values(), key=place_text)


def place_text(text: SearchedText) -> tuple[float, str]:
    """Return the key by which a list is in order."""
    return -text.recorded_at.timestamp(), text.id
