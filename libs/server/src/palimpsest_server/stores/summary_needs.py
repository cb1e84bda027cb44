"""Sessions that need a new summary, because they went on since their last one, and from when on."""

from collections.abc import Sequence
from typing import Protocol

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError

from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Instant, Value
from palimpsest_server.stores.collections import SUMMARY_NEEDS
from palimpsest_server.stores.mongo.database import Document, MongoDatabase, from_document
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.sessions import SessionKey

_MESSAGES = 10_000_000_000
"""Upper bound of the messages of a session."""
_ATTEMPTS = 10
"""Upper bound of the attempts at a summary."""


class SummaryNeed(Value):
    id: str
    """The session's key, as an id."""
    user_id: Identifier
    session_id: Identifier
    scope: Scope
    through: int
    """Number of the last known message."""
    epoch: int
    attempt: int = 0
    """Number of attempts that were given up."""
    anew: str | None = None
    """The erasure after which the session is summed up again, although it has no new messages."""
    due_at: Instant

    @property
    def key(self) -> SessionKey:
        return SessionKey(self.user_id, self.session_id)

    @property
    def precedence(self) -> int:
        """Return a number that rises with the epoch, then the last message, then the attempt."""
        return (self.epoch * _MESSAGES + self.through) * _ATTEMPTS + self.attempt


class SummaryNeeds(Protocol):
    async def note(self, needs: Sequence[SummaryNeed]) -> None:
        """Note that each session is to be summed up from then on, in place of its older note.

        A note of lower precedence changes nothing: a window that is sent once more may come behind
        a later one, and after the summary up to it was given up. The reason to sum a session up anew
        stays, unless the new note has a reason of its own.
        """
        ...

    async def note_anew(self, needs: Sequence[SummaryNeed]) -> None:
        """Note that each session is to be summed up anew. An existing need keeps its due time."""
        ...

    async def waiting(self, *, limit: int) -> list[SummaryNeed]:
        """Return needs by due time, the earliest first."""
        ...

    async def met(self, need: SummaryNeed) -> None:
        """Remove a need after its request, unless the session has a newer need."""
        ...


class InMemorySummaryNeeds:
    def __init__(self) -> None:
        self._needs: dict[str, SummaryNeed] = {}

    async def note(self, needs: Sequence[SummaryNeed]) -> None:
        for need in needs:
            standing = self._needs.get(need.id, need)
            if need.precedence >= standing.precedence:
                anew = need.anew or standing.anew
                self._needs[need.id] = need.model_copy(update={"anew": anew})

    async def note_anew(self, needs: Sequence[SummaryNeed]) -> None:
        for need in needs:
            standing = self._needs.get(need.id, need)
            self._needs[need.id] = standing.model_copy(update={"anew": need.anew})

    async def waiting(self, *, limit: int) -> list[SummaryNeed]:
        return sorted(self._needs.values(), key=lambda need: (need.due_at, need.id))[:limit]

    async def met(self, need: SummaryNeed) -> None:
        if self._needs.get(need.id) == need:
            del self._needs[need.id]


class MongoSummaryNeeds:
    def __init__(self, database: MongoDatabase) -> None:
        self._needs = database.collection(SUMMARY_NEEDS)

    async def note(self, needs: Sequence[SummaryNeed]) -> None:
        if not needs:
            return
        last = {need.id: need for need in sorted(needs, key=lambda need: need.precedence)}
        # If a need of higher precedence is stored, the filter misses and the insert collides. Needs
        # of earlier versions of the program have no precedence.
        writes = [
            UpdateOne(
                {"_id": need.id, "precedence": {"$not": {"$gt": need.precedence}}},
                {"$set": _fields(need)},
                upsert=True,
            )
            for need in last.values()
        ]
        try:
            await self._needs.bulk_write(writes, ordered=False)
        except BulkWriteError as error:
            require_only_duplicates(error)

    async def note_anew(self, needs: Sequence[SummaryNeed]) -> None:
        if needs:
            await self._needs.bulk_write(
                [
                    UpdateOne(
                        {"_id": need.id},
                        {
                            "$set": {"anew": need.anew},
                            "$setOnInsert": _fields(need.model_copy(update={"anew": None})),
                        },
                        upsert=True,
                    )
                    for need in needs
                ],
                ordered=False,
            )

    async def waiting(self, *, limit: int) -> list[SummaryNeed]:
        found = self._needs.find().sort([("due_at", 1), ("_id", 1)])
        return [from_document(SummaryNeed, document) for document in await found.to_list(limit)]

    async def met(self, need: SummaryNeed) -> None:
        await self._needs.delete_one(
            {
                "_id": need.id,
                "through": need.through,
                "due_at": need.due_at,
                "attempt": need.attempt,
                "anew": need.anew,
            }
        )


def _fields(need: SummaryNeed) -> Document:
    unsaid = {"anew"} if need.anew is None else set[str]()
    fields = need.model_dump(mode="python", exclude={"id", *unsaid})
    return {**fields, "precedence": need.precedence}
