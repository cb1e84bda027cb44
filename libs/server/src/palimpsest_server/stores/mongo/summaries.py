"""Summaries of sessions in MongoDB."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from pymongo import ReplaceOne
from pymongo.errors import BulkWriteError

from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest_server.stores.collections import SUMMARIES
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.summaries import latest_first


class MongoSummaries:
    def __init__(self, database: MongoDatabase) -> None:
        self._summaries = database.collection(SUMMARIES)

    async def by_ids(self, scopes: Sequence[Scope], ids: Sequence[str]) -> list[SessionSummary]:
        if not ids:
            return []
        summaries = await self._find({"_id": {"$in": list(ids)}})
        return [summary for summary in summaries if summary.scope in scopes]

    async def latest(
        self, scopes: Sequence[Scope], *, now: datetime, before: datetime | None = None
    ) -> list[SessionSummary]:
        # A user has some hundred summaries at most, so they are sorted here: DatabaseLimit.NO_INDEXED_SORT.
        summaries = await self._find(
            {"user_id": {"$in": sorted({scope.user_id for scope in scopes})}}
        )
        counting = [
            summary
            for summary in summaries
            if summary.scope in scopes
            and summary.counts(now)
            and (before is None or summary.ended_at < before)
        ]
        return latest_first(counting)

    async def of_users(self, ids: Mapping[str, Collection[str]]) -> list[SessionSummary]:
        wanted = [summary_id for own in ids.values() for summary_id in own]
        if not wanted:
            return []
        summaries = await self._find({"_id": {"$in": wanted}})
        return [
            summary for summary in summaries if summary.id in ids.get(summary.scope.user_id, ())
        ]

    async def made_since(
        self, user_id: str, moment: datetime, *, now: datetime
    ) -> list[SessionSummary]:
        summaries = await self._find({"user_id": user_id, "made_at": {"$gt": moment}})
        return latest_first([summary for summary in summaries if summary.counts(now)])[::-1]

    async def write(self, summaries: Sequence[SessionSummary]) -> None:
        if not summaries:
            return
        newest = {
            summary.id: summary
            for summary in sorted(summaries, key=lambda session_summary: session_summary.version)
        }
        # If a later version is stored, the filter misses and the insert collides.
        writes = [
            ReplaceOne(
                {"_id": summary.id, "version": {"$lt": summary.version}},
                {**to_document(summary), "user_id": summary.scope.user_id},
                upsert=True,
            )
            for summary in newest.values()
        ]
        try:
            await self._summaries.bulk_write(writes, ordered=False)
        except BulkWriteError as error:
            require_only_duplicates(error)

    async def page(self, *, limit: int, after: str | None) -> list[SessionSummary]:
        query = {} if after is None else {"_id": {"$gt": after}}
        found = await self._summaries.find(query).sort("_id", 1).to_list(limit)
        return [from_document(SessionSummary, document) for document in found]

    async def over(self, *, now: datetime, limit: int) -> list[SessionSummary]:
        found = self._summaries.find({"expires_at": {"$lte": now}}).sort(
            [("expires_at", 1), ("_id", 1)]
        )
        return [from_document(SessionSummary, document) for document in await found.to_list(limit)]

    async def remove(self, ids: Mapping[str, Collection[str]]) -> None:
        for user_id, own in ids.items():
            await self._summaries.delete_many({"_id": {"$in": list(own)}, "user_id": user_id})

    async def erase(self, user_id: str, *, before_epoch: int) -> list[SessionSummary]:
        erased = await self._find({"user_id": user_id, "epoch": {"$lt": before_epoch}})
        await self.remove({user_id: [summary.id for summary in erased]})
        return erased

    async def _find(self, query: Document) -> list[SessionSummary]:
        found = await self._summaries.find(query).to_list(None)
        return [from_document(SessionSummary, document) for document in found]
