"""Dead letters: redacted, with the reason and whether they were replayed."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias, TypedDict, Unpack

from pymongo import ReplaceOne
from pymongo.errors import BulkWriteError

from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.value_types import Instant, Value
from palimpsest_server.stores import collections
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)
from palimpsest_server.stores.mongo.failures import require_only_duplicates

EventKey: TypeAlias = tuple[str, str]
"""User id and event id: an event id is unique only within its user."""


class DeadLetterState(StrEnum):
    OPEN = "open"
    REPLAYED = "replayed"


class DeadLetter(Value):
    """A record that no handler will take. `body` is redacted and may be cut short."""

    id: str
    """Derived from stage, topic and the record's bytes, so that a repeated record is one letter."""
    stage: str
    topic: str
    """Name in the table of topics, without the deployment's prefix."""
    partition: int
    offset: int
    user_id: str | None = None
    event_id: str | None = None
    event_type: str | None = None
    trace: str | None = None
    reason: str
    message: str
    """Explanation for people, in our own words."""
    body: str
    body_bytes: int
    """Size of the whole record's value, before redaction and cutting."""
    body_sha256: str
    truncated: bool = False
    replayable: bool
    failed_at: Instant
    state: DeadLetterState = DeadLetterState.OPEN
    replayed_at: Instant | None = None


class DeadLetterFilter(TypedDict, total=False):
    """Conditions on letters. A field that is missing or None sets no condition, but for `state`."""

    stage: str | None
    reason: str | None
    state: DeadLetterState | None
    """State of the letters: only open letters if missing, letters in any state if None."""
    ids: Sequence[str] | None


def _criteria(wanted: DeadLetterFilter) -> Document:
    """Return the values that the fields of a letter must have, except its id."""
    asked = {
        "stage": wanted.get("stage"),
        "reason": wanted.get("reason"),
        "state": wanted.get("state", DeadLetterState.OPEN),
    }
    return {name: value for name, value in asked.items() if value is not None}


class DeadLetterReader(Protocol):
    async def known(self, events: Collection[EventKey]) -> set[EventKey]:
        """Return those of `events` that a stage after ingest dead-lettered and that nobody has replayed since.

        Letters of ingest itself do not count, because another event may have come under the id of a
        valid event.
        """
        ...


class DeadLetterStore(DeadLetterReader, Protocol):
    async def put(self, letters: Sequence[DeadLetter]) -> None:
        """Store these letters; a letter that is known already is open again, with its latest reason."""
        ...

    async def withdraw(self, ids: Sequence[str]) -> None:
        """Delete these letters, because their events were handled after all."""
        ...

    async def list(
        self, *, limit: int = 100, **wanted: Unpack[DeadLetterFilter]
    ) -> Sequence[DeadLetter]:
        """Return at most `limit` letters, latest first."""
        ...

    async def mark_replayed(self, letter: DeadLetter, at: Instant) -> None:
        """Close a letter, unless the same record failed again since the letter was read."""
        ...


class InMemoryDeadLetters:
    """The in-memory twin."""

    def __init__(self) -> None:
        self._letters: dict[str, DeadLetter] = {}

    async def put(self, letters: Sequence[DeadLetter]) -> None:
        self._letters.update({letter.id: letter for letter in letters})

    async def withdraw(self, ids: Sequence[str]) -> None:
        for letter_id in ids:
            self._letters.pop(letter_id, None)

    async def list(
        self, *, limit: int = 100, **wanted: Unpack[DeadLetterFilter]
    ) -> Sequence[DeadLetter]:
        criteria, ids = _criteria(wanted), wanted.get("ids")
        chosen = [
            letter
            for letter in self._letters.values()
            if all(getattr(letter, name) == value for name, value in criteria.items())
            and (ids is None or letter.id in ids)
        ]
        chosen.sort(key=lambda letter: (letter.failed_at, letter.id), reverse=True)
        return chosen[:limit]

    async def mark_replayed(self, letter: DeadLetter, at: Instant) -> None:
        known = self._letters.get(letter.id)
        if known is not None and known.failed_at == letter.failed_at:
            replayed = {"state": DeadLetterState.REPLAYED, "replayed_at": at}
            self._letters[letter.id] = known.model_copy(update=replayed)

    async def known(self, events: Collection[EventKey]) -> set[EventKey]:
        return {
            (letter.user_id, letter.event_id)
            for letter in self._letters.values()
            if letter.state is DeadLetterState.OPEN
            and letter.topic != CONVERSATIONS.name
            and letter.user_id is not None
            and letter.event_id is not None
        } & set(events)


class MongoDeadLetters:
    def __init__(self, database: MongoDatabase) -> None:
        self._collection = database.collection(collections.DEAD_LETTERS)

    async def put(self, letters: Sequence[DeadLetter]) -> None:
        if not letters:
            return
        # An erased letter stays erased, even if the same record fails again.
        writes = [
            ReplaceOne(
                {"_id": letter.id, "erased": {"$ne": True}}, to_document(letter), upsert=True
            )
            for letter in letters
        ]
        try:
            await self._collection.bulk_write(writes, ordered=False)
        except BulkWriteError as error:
            require_only_duplicates(error)

    async def withdraw(self, ids: Sequence[str]) -> None:
        await self._collection.delete_many({"_id": {"$in": list(ids)}})

    async def list(
        self, *, limit: int = 100, **wanted: Unpack[DeadLetterFilter]
    ) -> Sequence[DeadLetter]:
        query = _criteria(wanted)
        if (ids := wanted.get("ids")) is not None:
            query["_id"] = {"$in": [*ids]}
        latest_first = [("failed_at", -1), ("_id", -1)]
        documents = await self._collection.find(query, limit=limit).sort(latest_first).to_list(None)
        return [from_document(DeadLetter, document) for document in documents]

    async def mark_replayed(self, letter: DeadLetter, at: Instant) -> None:
        await self._collection.update_one(
            {"_id": letter.id, "failed_at": letter.failed_at},
            {"$set": {"state": DeadLetterState.REPLAYED, "replayed_at": at}},
        )

    async def known(self, events: Collection[EventKey]) -> set[EventKey]:
        if not events:
            return set()
        found = self._collection.find(
            {
                "event_id": {"$in": [event_id for _, event_id in events]},
                "state": DeadLetterState.OPEN,
                "topic": {"$ne": CONVERSATIONS.name},
            },
            {"user_id": 1, "event_id": 1},
        )
        # The result may contain letters of other users under the same event id.
        return {(letter["user_id"], letter["event_id"]) async for letter in found} & set(events)
