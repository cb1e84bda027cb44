"""Counters of recalls in MongoDB, stored beside the memories, whose versions they do not change.

A recall is stored as one document; counting each of its memories at once would cost the
database more than the recall did. Recalls that are some minutes old are folded into a counter
for each memory, many at a time.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError, DuplicateKeyError

from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Accesses
from palimpsest_server.stores.collections import ACCESSES, RECALLS
from palimpsest_server.stores.memories import RecordedRecall
from palimpsest_server.stores.mongo.batched_writes import (
    iterate_batches_with_pauses,
    split_into_batches,
    write_batch,
)
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.mongo.id_lists import find_by_ids

RECALLS_PER_FOLD = 500
"""Recalls in one fold."""

_FOLDS_KEPT = 4

_COUNTED = {"user_id": 1, "memory_ids": 1, "at": 1}
"""Fields of a recall read for counting; its trace is longer than all of them."""

_LEASE = "folding"
_LEASE_FOR = timedelta(minutes=5)
"""Lease of a fold, which takes some seconds."""


class MongoAccesses:
    def __init__(self, database: MongoDatabase) -> None:
        self._recalls = database.collection(RECALLS)
        self._counters = database.collection(ACCESSES)
        self._holder = uuid4().hex

    async def count(self, accesses: Sequence[RecordedRecall]) -> None:
        if not accesses:
            return
        try:
            await self._recalls.insert_many(
                [_document(access) for access in accesses], ordered=False
            )
        except BulkWriteError as error:
            # A refused document is a recall that was counted already.
            require_only_duplicates(error)

    async def of(self, ids: Mapping[str, Collection[str]]) -> dict[str, dict[str, Accesses]]:
        """Return counters by user and memory id; never recalled memories are left out."""
        counters = [derive_id("accesses", user_id, one) for user_id in ids for one in ids[user_id]]
        folded, fresh = await asyncio.gather(
            find_by_ids(self._counters, counters),
            self._recalls.find(_not_folded(ids), _COUNTED).to_list(None),
        )
        counted: dict[str, dict[str, Accesses]] = {user_id: {} for user_id in ids}
        for one in folded:
            accesses = Accesses(count=one["count"], last_at=one["last_at"])
            counted[one["user_id"]][one["memory_id"]] = accesses
        for recall in fresh:
            own, asked = counted[recall["user_id"]], ids[recall["user_id"]]
            for memory_id in recall["memory_ids"]:
                if memory_id in asked:
                    own[memory_id] = _one_more(own.get(memory_id), recall["at"])
        return counted

    async def counts(self, user_id: str) -> Mapping[str, int]:
        """Return how often each memory of a user was recalled; never recalled ones are left out."""
        folded, fresh = await asyncio.gather(
            self._counters.find({"user_id": user_id}, {"memory_id": 1, "count": 1}).to_list(None),
            self._recalls.find(_not_folded([user_id]), _COUNTED).to_list(None),
        )
        counts = Counter({counter["memory_id"]: counter["count"] for counter in folded})
        for recall in fresh:
            counts.update(recall["memory_ids"])
        return counts

    async def most(self, user_id: str, limit: int) -> list[str]:
        """Return the ids of a user's most recalled memories, most recalled first.

        Recalls of the last minutes, which are not folded yet, are not counted.
        """
        found = self._counters.find({"user_id": user_id}, {"memory_id": 1}).sort("count", -1)
        return [one["memory_id"] for one in await found.limit(limit).to_list(None)]

    async def recalled(self, recall_ids: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
        """Return memory ids by recall id; `recall_ids` are given by user."""
        found: dict[str, list[str]] = {}
        for user_id, wanted in recall_ids.items():
            named = {"user_id": user_id, "recall_id": {"$in": sorted(wanted)}}
            told = {"recall_id": 1, "memory_ids": 1}
            for recall in await self._recalls.find(named, told).to_list(None):
                found.setdefault(recall["recall_id"], []).extend(recall["memory_ids"])
        return found

    async def fold(self, *, before: datetime, now: datetime) -> int:
        """Fold recalls older than `before` into counters; return how many were folded.

        One process folds at a time, and each recall is counted once, even if the process dies: the fold's
        id is stored first, then its recalls are marked, and only then counted. The next process continues
        an unfinished fold.
        """
        late = {"folded": False, "at": {"$lt": before}}
        if await self._recalls.find_one(late, {"_id": 1}) is None:
            return 0
        lease = await self._leased(now)
        if lease is None:
            return 0
        fold = lease.get("fold") or await self._begun(before)
        if fold is None:
            return 0
        recalls = await self._recalls.find({"fold": fold}, _COUNTED).to_list(None)
        await self._add(fold, recalls)
        done = {"$set": {"folded": True, "folded_at": now}}
        await self._recalls.update_many({"fold": fold}, done)
        await self._counters.update_one({"_id": _LEASE}, {"$unset": {"fold": ""}})
        return len(recalls)

    async def _leased(self, now: datetime) -> Document | None:
        """Return the folding document once this process holds its lease, else None."""
        ours = {"holder": self._holder, "until": now + _LEASE_FOR}
        for free in ({"holder": self._holder}, {"until": {"$lt": now}}):
            taken = await self._counters.find_one_and_update(
                {"_id": _LEASE, **free}, {"$set": ours}
            )
            if taken is not None:
                return taken
        try:
            await self._counters.insert_one({"_id": _LEASE, **ours})
        except DuplicateKeyError:
            return None
        return {"_id": _LEASE, **ours}

    async def _begun(self, before: datetime) -> str | None:
        late = self._recalls.find({"folded": False, "at": {"$lt": before}}, {"_id": 1})
        recall_ids = [recall["_id"] for recall in await late.to_list(RECALLS_PER_FOLD)]
        if not recall_ids:
            return None
        fold = derive_id("fold", *sorted(recall_ids))
        await self._counters.update_one({"_id": _LEASE}, {"$set": {"fold": fold}})
        for part in split_into_batches(recall_ids):
            await self._recalls.update_many(
                {"_id": {"$in": part}, "folded": False}, {"$set": {"fold": fold}}
            )
        return fold

    async def _add(self, fold: str, recalls: Sequence[Document]) -> None:
        counts: Counter[tuple[str, str]] = Counter()
        latest: dict[tuple[str, str], datetime] = {}
        for recall in recalls:
            for memory_id in recall["memory_ids"]:
                place = (recall["user_id"], memory_id)
                counts[place] += 1
                latest[place] = max(recall["at"], latest.get(place, recall["at"]))
        writes = [_added(fold, place, count, latest[place]) for place, count in counts.items()]
        # With pauses, because nobody waits for counters.
        async for part in iterate_batches_with_pauses(writes):
            await write_batch(self._counters, part)


def _not_folded(user_ids: Collection[str]) -> Document:
    """Return the query of recalls of these users that are not folded yet: those of the last minutes."""
    # It comes first: by a list of users all their recalls of a month would be read, which is
    # DatabaseLimit.FIRST_INDEXED_FIELD_ONLY.
    wanted = sorted(user_ids)
    return {"folded": False, "user_id": wanted[0] if len(wanted) == 1 else {"$in": wanted}}


def _document(access: RecordedRecall) -> Document:
    memory_ids = list(dict.fromkeys(access.memory_ids))
    return {
        "_id": derive_id("recall", access.user_id, access.recall_id, *memory_ids),
        "user_id": access.user_id,
        "agent_id": access.agent_id,
        "recall_id": access.recall_id,
        "memory_ids": memory_ids,
        "at": access.at,
        "folded": False,
        "returned": [[identity, *signs] for identity, signs in access.returned],
        "epoch": access.epoch,
        "query": access.asked,
        "results": [
            {"id": identity, "record": record.value, "score": score}
            for identity, record, score in access.results
        ],
    }


def _one_more(counted: Accesses | None, at: datetime) -> Accesses:
    if counted is None or counted.last_at is None:
        return Accesses(count=1, last_at=at)
    return Accesses(count=counted.count + 1, last_at=max(counted.last_at, at))


def _added(fold: str, place: tuple[str, str], count: int, latest: datetime) -> UpdateOne:
    user_id, memory_id = place
    return UpdateOne(
        {"_id": derive_id("accesses", user_id, memory_id), "folds": {"$ne": fold}},
        {
            "$inc": {"count": count},
            "$max": {"last_at": latest},
            "$push": {"folds": {"$each": [fold], "$slice": -_FOLDS_KEPT}},
            "$setOnInsert": {"user_id": user_id, "memory_id": memory_id},
        },
        upsert=True,
    )
