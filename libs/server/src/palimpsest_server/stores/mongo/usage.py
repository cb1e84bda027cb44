"""Calls of language models in MongoDB."""

from collections.abc import Sequence
from datetime import date, datetime

from pymongo import ASCENDING, DESCENDING, UpdateOne

from palimpsest.model.usage import ModelCall, ModelCallState, UsageRow, UsageSum, sort_usage_rows
from palimpsest_server.stores.collections import MODEL_CALLS
from palimpsest_server.stores.mongo.chunked_writes import update_in_chunks
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)
from palimpsest_server.stores.mongo.ledger_documents import insert_missing
from palimpsest_server.stores.usage import (
    ANONYMOUS_CALL_FIELDS,
    LOST_CALL_FAILURE,
    CallPageQuery,
)


class MongoUsage:
    def __init__(self, database: MongoDatabase) -> None:
        self._calls = database.collection(MODEL_CALLS)

    async def begin(self, call: ModelCall) -> None:
        document = {
            **to_document(call),
            "day": call.day.isoformat(),
            "state": ModelCallState.BEGUN.value,
        }
        await insert_missing(self._calls, [document])

    async def end(self, calls: Sequence[ModelCall]) -> None:
        if not calls:
            return
        # The owner was stored when the call began, and may have been erased meanwhile.
        await self._calls.bulk_write(
            [
                UpdateOne(
                    _begun(call.id),
                    {
                        "$set": {
                            **call.model_dump(include=_TAKEN),
                            "state": ModelCallState.ENDED.value,
                        }
                    },
                )
                for call in calls
            ],
            ordered=False,
        )

    async def withdraw(self, call: ModelCall) -> None:
        await self._calls.delete_one(_begun(call.id))

    async def end_lost(self, *, begun_before: datetime) -> int:
        result = await self._calls.update_many(
            {"state": ModelCallState.BEGUN.value, "begun_at": {"$lt": begun_before}},
            {
                "$set": {
                    "state": ModelCallState.ENDED.value,
                    "failure": LOST_CALL_FAILURE,
                    "estimated": True,
                }
            },
        )
        return int(result.modified_count)

    async def unannounced(self, *, limit: int) -> list[ModelCall]:
        found = (
            self._calls.find({"state": ModelCallState.ENDED.value})
            .sort("begun_at", ASCENDING)
            .limit(limit)
        )
        return [from_document(ModelCall, document) for document in await found.to_list(None)]

    async def mark_announced(self, ids: Sequence[str]) -> None:
        await self._calls.update_many(
            {"_id": {"$in": list(ids)}, "state": ModelCallState.ENDED.value},
            {"$set": {"state": ModelCallState.ANNOUNCED.value}},
        )

    async def make_nameless(self, user_id: str, *, before_epoch: int) -> None:
        older = {"user_id": user_id, "epoch": {"$lt": before_epoch}}
        await update_in_chunks(self._calls, older, {"$set": ANONYMOUS_CALL_FIELDS})

    async def rows(
        self,
        *,
        since: date,
        until: date,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[UsageRow]:
        asked: Document = {
            "day": {"$gte": since.isoformat(), "$lte": until.isoformat()},
            "state": {"$in": _ENDED},
            **({} if user_id is None else {"user_id": user_id}),
            **({} if agent_id is None else {"agent_id": agent_id}),
        }
        groups = self._calls.aggregate([{"$match": asked}, {"$group": _ADDED_UP}])
        return sort_usage_rows([_row(group) for group in await groups.to_list(None)])

    async def page(self, asked: CallPageQuery) -> list[ModelCall]:
        wanted: Document = {
            "user_id": asked.user_id,
            "day": {"$gte": asked.since.isoformat(), "$lte": asked.until.isoformat()},
            "state": {"$in": _ENDED},
            "epoch": {"$gte": asked.epoch},
            **({} if asked.agent_id is None else {"agent_id": asked.agent_id}),
        }
        if asked.behind is not None:
            last = await self._calls.find_one({**wanted, "_id": asked.behind}, {"begun_at": 1})
            wanted.update({} if last is None else _behind(last))
        found = (
            self._calls.find(wanted)
            .sort([("begun_at", DESCENDING), ("_id", DESCENDING)])
            .limit(asked.limit)
        )
        return [from_document(ModelCall, document) for document in await found.to_list(None)]


_ENDED = [ModelCallState.ENDED.value, ModelCallState.ANNOUNCED.value]

_TAKEN = {
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "cost_millionths",
    "failure",
    "estimated",
}

_ADDED_UP: Document = {
    "_id": {"day": "$day", "task": "$task", "model": "$model"},
    "calls": {"$sum": 1},
    "failed_calls": {"$sum": {"$cond": [{"$eq": ["$failure", None]}, 0, 1]}},
    "estimated_calls": {"$sum": {"$cond": ["$estimated", 1, 0]}},
    "input_tokens": {"$sum": "$input_tokens"},
    "cached_input_tokens": {"$sum": "$cached_input_tokens"},
    "output_tokens": {"$sum": "$output_tokens"},
    "cost_millionths": {"$sum": "$cost_millionths"},
}


def _begun(call_id: str) -> Document:
    return {"_id": call_id, "state": ModelCallState.BEGUN.value}


def _behind(last: Document) -> Document:
    """Return the condition of calls that come after this one, the latest first."""
    at = last["begun_at"]
    return {"$or": [{"begun_at": {"$lt": at}}, {"begun_at": at, "_id": {"$lt": last["_id"]}}]}


def _row(group: Document) -> UsageRow:
    key = group["_id"]
    return UsageRow(
        day=date.fromisoformat(key["day"]),
        task=key["task"],
        model=key["model"],
        sum=from_document(UsageSum, {**group, "_id": None}),
    )
