"""Counters of recalls in MongoDB, beside the memories: they change no version."""

from collections.abc import Iterable, Sequence

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError

from palimpsest.contracts.collections import ACCESSES
from palimpsest.domain.identifiers import derive
from palimpsest.domain.memory import Accesses
from palimpsest.stores.memories import Access
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.mongo_failures import only_duplicates

RECENT_RECALLS = 32
"""So many recall ids are kept for each memory: redelivery comes soon or not at all."""


class MongoAccesses:
    def __init__(self, database: MongoDatabase) -> None:
        self._counters = database.collection(ACCESSES)

    async def count(self, accesses: Sequence[Access]) -> None:
        writes = [
            _counted(access, memory_id)
            for access in accesses
            for memory_id in dict.fromkeys(access.memory_ids)
        ]
        if not writes:
            return
        try:
            await self._counters.bulk_write(writes, ordered=False)
        except BulkWriteError as error:
            # A recall that was counted already misses the filter, and its insert collides.
            only_duplicates(error)

    async def of(self, places: Iterable[tuple[str, str]]) -> dict[str, Accesses]:
        """By memory id; `places` are pairs of user and memory id."""
        ids = {derive("accesses", user_id, memory_id): memory_id for user_id, memory_id in places}
        found = self._counters.find({"_id": {"$in": list(ids)}})
        return {
            ids[document["_id"]]: Accesses(count=document["count"], last_at=document["last_at"])
            async for document in found
        }


def _counted(access: Access, memory_id: str) -> UpdateOne:
    return UpdateOne(
        {
            "_id": derive("accesses", access.user_id, memory_id),
            "recent": {"$ne": access.recall_id},
        },
        {
            "$inc": {"count": 1},
            "$max": {"last_at": access.at},
            "$push": {"recent": {"$each": [access.recall_id], "$slice": -RECENT_RECALLS}},
            "$setOnInsert": {"user_id": access.user_id, "memory_id": memory_id},
        },
        upsert=True,
    )
