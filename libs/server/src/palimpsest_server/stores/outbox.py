"""Outboxes: items are stored before they are published. Their states and operations.

stored → published → confirmed, or dropped on the way. Published means that
Kafka took the item's result; confirmed, that the effect was seen.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Generic, NamedTuple, Protocol, TypeVar

from pymongo.errors import BulkWriteError

from palimpsest_server.stores.collections import MongoCollection
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.mongo.failures import require_only_duplicates

ItemT = TypeVar("ItemT")

_POSITIONS = 1024
"""Positions of one moment; a batch has at most 500 events over HTTP and 256 over Kafka."""


class OutboxState(StrEnum):
    STORED = "stored"
    PUBLISHED = "published"
    CONFIRMED = "confirmed"
    DROPPED = "dropped"
    """The item is not published: its user's epoch has risen, it is empty, or a later stage
    dead-lettered it and only a replay helps."""


_BEFORE: Mapping[OutboxState, tuple[OutboxState, ...]] = {
    OutboxState.STORED: (OutboxState.STORED,),
    OutboxState.PUBLISHED: (OutboxState.STORED, OutboxState.PUBLISHED),
    OutboxState.CONFIRMED: (OutboxState.STORED, OutboxState.PUBLISHED),
    OutboxState.DROPPED: (OutboxState.STORED, OutboxState.PUBLISHED),
}
"""States from which each state may be entered. Entering a state again renews `pending_since`."""

_PENDING = frozenset({OutboxState.STORED, OutboxState.PUBLISHED})


@dataclass(frozen=True)
class OutboxEntry(Generic[ItemT]):
    """An item of an outbox and its state."""

    item: ItemT
    state: OutboxState
    pending_since: datetime | None
    """When the item entered its state; None once nothing more is to happen."""
    behind_end: str | None = None
    """For a turn: the request that ended the session just before the turn got its number."""


class OverdueEntry(NamedTuple):
    """An item that has been pending for too long."""

    id: str
    since: datetime


class Outbox(Protocol[ItemT]):
    async def standing(self, ids: Sequence[str]) -> Mapping[str, OutboxEntry[ItemT]]:
        """Return the entries of these ids; unknown ids are left out."""
        ...

    async def mark(self, ids: Sequence[str], state: OutboxState, *, now: datetime) -> None:
        """Move entries on to `state`, never back. Marking the current state again renews `pending_since`."""
        ...

    async def due(self, state: OutboxState, *, before: datetime) -> Sequence[OverdueEntry]:
        """Return entries that entered this pending state before the moment, in the order of arrival.

        Entries contain no items, only some hundred bytes each, so that one call can return all of them.
        """
        ...


class InMemoryOutbox(Generic[ItemT]):
    """In-memory twin of the operations that all outboxes share."""

    def __init__(self) -> None:
        self._kept: dict[str, OutboxEntry[ItemT]] = {}

    async def standing(self, ids: Sequence[str]) -> Mapping[str, OutboxEntry[ItemT]]:
        return {each: self._kept[each] for each in ids if each in self._kept}

    async def mark(self, ids: Sequence[str], state: OutboxState, *, now: datetime) -> None:
        since = now if state in _PENDING else None
        for each in ids:
            kept = self._kept.get(each)
            if kept is not None and kept.state in _BEFORE[state]:
                self._kept[each] = replace(kept, state=state, pending_since=since)

    async def due(self, state: OutboxState, *, before: datetime) -> Sequence[OverdueEntry]:
        due = [
            (kept.pending_since, arrival, each)
            for arrival, (each, kept) in enumerate(self._kept.items())
            if kept.state is state and kept.pending_since is not None
        ]
        return [OverdueEntry(each, since) for since, _, each in sorted(due) if since < before]


class MongoOutbox(ABC, Generic[ItemT]):
    """Outbox in MongoDB: `state` and `pending_since` are fields beside the item's."""

    def __init__(self, database: MongoDatabase, table: MongoCollection) -> None:
        self._collection = database.collection(table)

    @abstractmethod
    def _item(self, document: Document) -> ItemT:
        """Return the item of a document."""

    async def standing(self, ids: Sequence[str]) -> Mapping[str, OutboxEntry[ItemT]]:
        if not ids:
            return {}
        documents = await self._collection.find({"_id": {"$in": list(ids)}}).to_list(None)
        return {document["_id"]: self._kept(document) for document in documents}

    async def mark(self, ids: Sequence[str], state: OutboxState, *, now: datetime) -> None:
        if not ids:
            return
        change: Document = {"$set": {"state": state.value}}
        if state in _PENDING:
            change["$set"]["pending_since"] = now
        else:
            change["$unset"] = {"pending_since": ""}
        earlier = [outbox_state.value for outbox_state in _BEFORE[state]]
        await self._collection.update_many(
            {"_id": {"$in": list(ids)}, "state": {"$in": earlier}}, change
        )

    async def due(self, state: OutboxState, *, before: datetime) -> Sequence[OverdueEntry]:
        query = {"state": state.value, "pending_since": {"$lt": before}}
        found = self._collection.find(query, {"pending_since": 1, "arrival": 1})
        # Sorted here, because of DatabaseLimit.NO_INDEXED_SORT.
        documents = sorted(
            await found.to_list(None), key=lambda each: (each["pending_since"], each["arrival"])
        )
        return [OverdueEntry(document["_id"], document["pending_since"]) for document in documents]

    async def _insert(self, documents: Sequence[Document]) -> set[str]:
        """Insert new items and return the ids that existed already."""
        if not documents:
            return set()
        try:
            await self._collection.insert_many(documents, ordered=False)
        except BulkWriteError as error:
            refused = require_only_duplicates(error)
            return {documents[each["index"]]["_id"] for each in refused}
        return set()

    def _kept(self, document: Document) -> OutboxEntry[ItemT]:
        return OutboxEntry(
            self._item(document),
            OutboxState(document["state"]),
            document.get("pending_since"),
            document.get("behind_end"),
        )


def build_pending_fields(now: datetime, position: int) -> Document:
    """Build the fields of a new entry, at its position among entries of the same moment.

    `arrival` rises with time and position. Entries that are published again and share one
    `pending_since` keep their order of arrival by it.
    """
    return {
        "state": OutboxState.STORED.value,
        "pending_since": now,
        "arrival": int(now.timestamp() * 1000) * _POSITIONS + position,
    }
