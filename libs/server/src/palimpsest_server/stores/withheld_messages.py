"""Each user's messages that are not shown, because their memories were forgotten or corrected."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pymongo.errors import DuplicateKeyError

from palimpsest_server.domain.consolidation.withheld_evidence import WithheldEvidence
from palimpsest_server.stores.collections import WITHHELD
from palimpsest_server.stores.mongo.database import MongoDatabase, from_document, to_document


@dataclass(frozen=True)
class WithheldSummaryReview:
    """Withheld evidence whose summaries have to be reviewed."""

    withheld: WithheldEvidence
    writes: int
    """Number of writes to the evidence or its summaries since the last review."""


class WithheldStore(Protocol):
    async def write(self, withheld: Sequence[WithheldEvidence]) -> None:
        """Write the withheld evidence of memories, unless a later change set wrote it."""
        ...

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, tuple[WithheldEvidence, ...]]:
        """Return the withheld evidence of those users who have any."""
        ...

    async def untold(self, *, limit: int) -> list[WithheldSummaryReview]:
        """Return withheld evidence that was written, or whose summaries were, since the last review."""
        ...

    async def looked_at(self, one: WithheldSummaryReview) -> None:
        """Mark a review as done, unless something was written meanwhile."""
        ...

    async def look_again(self, summary_ids: Mapping[str, Collection[str]]) -> None:
        """Mark evidence with one of these summaries, by user id, for review: they may rest on hidden messages."""
        ...


class MongoWithheld:
    def __init__(self, database: MongoDatabase) -> None:
        self._withheld = database.collection(WITHHELD)

    async def write(self, withheld: Sequence[WithheldEvidence]) -> None:
        await asyncio.gather(*map(self._write, withheld))

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, tuple[WithheldEvidence, ...]]:
        query = {"user_id": {"$in": list(user_ids)}}
        documents = await self._withheld.find(query).to_list(None)
        return _by_user(from_document(WithheldEvidence, document) for document in documents)

    async def untold(self, *, limit: int) -> list[WithheldSummaryReview]:
        documents = await self._withheld.find({"untold": {"$gte": 1}}).to_list(limit)
        return [
            WithheldSummaryReview(from_document(WithheldEvidence, document), document["untold"])
            for document in documents
        ]

    async def looked_at(self, review: WithheldSummaryReview) -> None:
        seen = {"_id": review.withheld.memory_id, "untold": review.writes}
        await self._withheld.update_one(seen, {"$unset": {"untold": ""}})

    async def look_again(self, summary_ids: Mapping[str, Collection[str]]) -> None:
        for user_id, own in summary_ids.items():
            told = {"user_id": user_id, "summary_ids": {"$in": list(own)}}
            await self._withheld.update_many(told, {"$inc": {"untold": 1}})

    async def _write(self, withheld_evidence: WithheldEvidence) -> None:
        older = {
            "_id": withheld_evidence.memory_id,
            "revision": {"$lt": withheld_evidence.revision},
        }
        change = {"$set": to_document(withheld_evidence), "$inc": {"untold": 1}}
        try:
            await self._withheld.update_one(older, change, upsert=True)
        except DuplicateKeyError:
            # The stored evidence is as new or newer.
            return


class InMemoryWithheld:
    def __init__(self) -> None:
        self._withheld: dict[str, WithheldEvidence] = {}
        self._untold: Counter[str] = Counter()

    async def write(self, withheld: Sequence[WithheldEvidence]) -> None:
        for withheld_evidence in withheld:
            standing = self._withheld.get(withheld_evidence.memory_id)
            if standing is None or standing.revision < withheld_evidence.revision:
                self._withheld[withheld_evidence.memory_id] = withheld_evidence
                self._untold[withheld_evidence.memory_id] += 1

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, tuple[WithheldEvidence, ...]]:
        wanted = set(user_ids)
        return _by_user(
            withheld_evidence
            for withheld_evidence in self._withheld.values()
            if withheld_evidence.user_id in wanted
        )

    async def untold(self, *, limit: int) -> list[WithheldSummaryReview]:
        return [
            WithheldSummaryReview(self._withheld[each], writes)
            for each, writes in self._untold.items()
        ][:limit]

    async def looked_at(self, review: WithheldSummaryReview) -> None:
        if self._untold[review.withheld.memory_id] == review.writes:
            del self._untold[review.withheld.memory_id]

    async def look_again(self, summary_ids: Mapping[str, Collection[str]]) -> None:
        for withheld_evidence in self._withheld.values():
            if not set(withheld_evidence.summary_ids).isdisjoint(
                summary_ids.get(withheld_evidence.user_id, ())
            ):
                self._untold[withheld_evidence.memory_id] += 1


def _by_user(withheld: Iterable[WithheldEvidence]) -> Mapping[str, tuple[WithheldEvidence, ...]]:
    found: dict[str, tuple[WithheldEvidence, ...]] = {}
    for withheld_evidence in withheld:
        if withheld_evidence.left_out or withheld_evidence.turn_ids:
            found[withheld_evidence.user_id] = (
                *found.get(withheld_evidence.user_id, ()),
                withheld_evidence,
            )
    return found
