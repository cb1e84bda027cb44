"""Erasures that were decided, and which stages have not obeyed them yet."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.value_types import Instant, Value
from palimpsest_server.stores.collections import ERASURES, STAGES
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)


class DecidedErasure(Value):
    """An erasure by the id of its change set.

    It is kept after completion and names nothing of what is gone.
    """

    id: str
    user_id: str
    revision: int
    """Of its change set: history above it is of what came later."""
    decided_at: Instant
    known_since: Instant
    """When the new epoch stood, and this was first written down."""
    erasure: Erasure
    waiting_for: tuple[str, ...] = STAGES
    """Stages that may still keep something of it."""


DISPLAYED_STAGES = ("ingest", "consolidator")
"""The stages whose messages, summaries and profiles are shown to somebody."""


SUMMARIZED_STAGES = ("ingest", "extractor", "consolidator")
"""The stages that keep what a session is summed up from, what a model said of it, and what stands."""


class Eraser(Protocol):
    """Erases what one owner keeps. It may be called any number of times, and die in between."""

    async def erase(self, decided: DecidedErasure) -> None: ...


class ErasureStore(Protocol):
    async def put(self, erasures: Sequence[DecidedErasure]) -> None:
        """Write these down, durably, unless they are known."""
        ...

    async def waiting(self, stage: str) -> list[DecidedErasure]:
        """Return erasures that this stage has not completed, oldest first."""
        ...

    async def mark_completed(self, erasure_id: str, stage: str) -> None: ...

    async def of_user(self, user_id: str) -> list[DecidedErasure]:
        """The oldest first."""
        ...

    async def since(self, moment: Instant) -> list[DecidedErasure]:
        """Return erasures decided since `moment`, oldest first."""
        ...

    async def going(self, user_ids: Iterable[str]) -> Mapping[str, tuple[PendingErasure, ...]]:
        """Return, for users who have any, the erasures that stages behind reads have not completed."""
        ...

    async def unsettled(self, user_ids: Iterable[str]) -> frozenset[str]:
        """Return the users of whom some stage may still keep messages or summaries that go."""
        ...


class MongoErasures:
    def __init__(self, database: MongoDatabase) -> None:
        self._erasures = database.collection(ERASURES)

    async def put(self, erasures: Sequence[DecidedErasure]) -> None:
        for erasure in erasures:
            await self._erasures.update_one(
                {"_id": erasure.id}, {"$setOnInsert": to_document(erasure)}, upsert=True
            )

    async def waiting(self, stage: str) -> list[DecidedErasure]:
        return await self._found({"waiting_for": stage})

    async def mark_completed(self, erasure_id: str, stage: str) -> None:
        await self._erasures.update_one({"_id": erasure_id}, {"$pull": {"waiting_for": stage}})

    async def of_user(self, user_id: str) -> list[DecidedErasure]:
        return await self._found({"user_id": user_id})

    async def since(self, moment: Instant) -> list[DecidedErasure]:
        return await self._found({"decided_at": {"$gte": moment}})

    async def going(self, user_ids: Iterable[str]) -> Mapping[str, tuple[PendingErasure, ...]]:
        waiting = {"$in": list(DISPLAYED_STAGES)}
        query = {"user_id": {"$in": list(user_ids)}, "waiting_for": waiting}
        return _going(await self._found(query))

    async def unsettled(self, user_ids: Iterable[str]) -> frozenset[str]:
        waiting = {"$in": list(SUMMARIZED_STAGES)}
        query = {"user_id": {"$in": list(user_ids)}, "waiting_for": waiting}
        return _unsettled(await self._found(query))

    async def _found(self, query: Document) -> list[DecidedErasure]:
        documents = await self._erasures.find(query).to_list(None)
        found = [from_document(DecidedErasure, document) for document in documents]
        return sorted(found, key=lambda one: (one.decided_at, one.id))


class InMemoryErasures:
    def __init__(self) -> None:
        self._erasures: dict[str, DecidedErasure] = {}

    async def put(self, erasures: Sequence[DecidedErasure]) -> None:
        for erasure in erasures:
            self._erasures.setdefault(erasure.id, erasure)

    async def waiting(self, stage: str) -> list[DecidedErasure]:
        return self._sorted(
            erasure for erasure in self._erasures.values() if stage in erasure.waiting_for
        )

    async def mark_completed(self, erasure_id: str, stage: str) -> None:
        one = self._erasures[erasure_id]
        left = tuple(each for each in one.waiting_for if each != stage)
        self._erasures[erasure_id] = one.model_copy(update={"waiting_for": left})

    async def of_user(self, user_id: str) -> list[DecidedErasure]:
        return self._sorted(
            erasure for erasure in self._erasures.values() if erasure.user_id == user_id
        )

    async def since(self, moment: Instant) -> list[DecidedErasure]:
        return self._sorted(
            erasure for erasure in self._erasures.values() if erasure.decided_at >= moment
        )

    async def going(self, user_ids: Iterable[str]) -> Mapping[str, tuple[PendingErasure, ...]]:
        wanted = set(user_ids)
        return _going(
            erasure
            for erasure in self._erasures.values()
            if erasure.user_id in wanted and not {*DISPLAYED_STAGES}.isdisjoint(erasure.waiting_for)
        )

    async def unsettled(self, user_ids: Iterable[str]) -> frozenset[str]:
        wanted = set(user_ids)
        return _unsettled(
            erasure
            for erasure in self._erasures.values()
            if erasure.user_id in wanted
            and not {*SUMMARIZED_STAGES}.isdisjoint(erasure.waiting_for)
        )

    def _sorted(self, erasures: Iterable[DecidedErasure]) -> list[DecidedErasure]:
        return sorted(erasures, key=lambda one: (one.decided_at, one.id))


def _unsettled(erasures: Iterable[DecidedErasure]) -> frozenset[str]:
    return frozenset(erasure.user_id for erasure in erasures if erasure.erasure.of_what_was_told)


def _going(erasures: Iterable[DecidedErasure]) -> Mapping[str, tuple[PendingErasure, ...]]:
    found: dict[str, tuple[PendingErasure, ...]] = {}
    for erasure in erasures:
        # Of everything the epoch tells.
        if not erasure.erasure.everything:
            going = PendingErasure(erasure=erasure.erasure, revision=erasure.revision)
            found[erasure.user_id] = (*found.get(erasure.user_id, ()), going)
    return found
