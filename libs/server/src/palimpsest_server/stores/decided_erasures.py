"""Decided erasures, each with the stages that have not completed it yet."""

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
    """An erasure, identified by its change set.

    The erasure is kept after completion and names nothing of the erased content.
    """

    id: str
    user_id: str
    revision: int
    """Revision of the erasure's change set. History above it is not erased."""
    decided_at: Instant
    known_since: Instant
    """When the new epoch was in force and the erasure was first stored."""
    erasure: Erasure
    waiting_for: tuple[str, ...] = STAGES
    """Stages that may still hold erased content."""


DISPLAYED_STAGES = ("ingest", "consolidator")
"""Stages that own the messages, summaries and profiles shown to users."""


SUMMARIZED_STAGES = ("ingest", "extractor", "consolidator")
"""Stages that hold the input of a session's summary, a model's answer to it, or the summary itself."""


class Eraser(Protocol):
    """Erases the content of one owner. A call may be repeated, and may be interrupted at any point."""

    async def erase(self, decided: DecidedErasure) -> None: ...


class ErasureStore(Protocol):
    async def put(self, erasures: Sequence[DecidedErasure]) -> None:
        """Store these erasures durably, unless they are known."""
        ...

    async def waiting(self, stage: str) -> list[DecidedErasure]:
        """Return erasures that this stage has not completed, oldest first."""
        ...

    async def mark_completed(self, erasure_id: str, stage: str) -> None: ...

    async def of_user(self, user_id: str) -> list[DecidedErasure]:
        """Return the erasures of one user, oldest first."""
        ...

    async def since(self, moment: Instant) -> list[DecidedErasure]:
        """Return erasures decided since `moment`, oldest first."""
        ...

    async def going(self, user_ids: Iterable[str]) -> Mapping[str, tuple[PendingErasure, ...]]:
        """Return pending erasures by user: those that a stage whose content is shown has not completed."""
        ...

    async def unsettled(self, user_ids: Iterable[str]) -> frozenset[str]:
        """Return the users of whom a stage may still hold messages or summaries that are to be erased."""
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
        erasures = [from_document(DecidedErasure, document) for document in documents]
        return sorted(erasures, key=lambda erasure: (erasure.decided_at, erasure.id))


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
        erasure = self._erasures[erasure_id]
        left = tuple(each for each in erasure.waiting_for if each != stage)
        self._erasures[erasure_id] = erasure.model_copy(update={"waiting_for": left})

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
        return sorted(erasures, key=lambda erasure: (erasure.decided_at, erasure.id))


def _unsettled(erasures: Iterable[DecidedErasure]) -> frozenset[str]:
    return frozenset(erasure.user_id for erasure in erasures if erasure.erasure.of_what_was_told)


def _going(erasures: Iterable[DecidedErasure]) -> Mapping[str, tuple[PendingErasure, ...]]:
    found: dict[str, tuple[PendingErasure, ...]] = {}
    for erasure in erasures:
        # An erasure of everything needs no entry: the raised epoch tells of it.
        if not erasure.erasure.everything:
            going = PendingErasure(erasure=erasure.erasure, revision=erasure.revision)
            found[erasure.user_id] = (*found.get(erasure.user_id, ()), going)
    return found
