"""The ledger in MongoDB."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import uuid4

from pymongo import ASCENDING, UpdateOne
from pymongo.errors import BulkWriteError, DuplicateKeyError

from palimpsest.contracts.collections import LEDGER
from palimpsest.contracts.events import CandidatesProposed, ExtractionRequested
from palimpsest.domain.identifiers import derive
from palimpsest.stores.ledger import (
    Answer,
    AnsweredRequest,
    Backlog,
    Lease,
    RequestState,
    queue_places,
)
from palimpsest.stores.mongo import DUPLICATE_KEY, Document, MongoDatabase

_PAGE_PER_LEASE = 4
"""Candidates read for each lease wanted: most of a page may belong to few sessions."""

_LEASE_FIELDS = {"lease_token": "", "lease_until": "", "leased_at": ""}


class MongoLedger:
    """`Ledger` over one collection; a partial unique index holds one lease per session."""

    def __init__(self, database: MongoDatabase) -> None:
        self._requests = database.collection(LEDGER)

    async def known(self, request_ids: Sequence[str]) -> set[str]:
        found = self._requests.find({"_id": {"$in": list(request_ids)}}, {"_id": 1})
        return {document["_id"] async for document in found}

    async def write_down(self, requests: Sequence[ExtractionRequested], *, now: datetime) -> int:
        by_id = {request.window_id: request for request in requests}
        found = self._requests.find({"_id": {"$in": list(by_id)}}, {"state": 1})
        states = {document["_id"]: document["state"] async for document in found}
        waiting = [
            request
            for request_id, request in by_id.items()
            if states.get(request_id, RequestState.FAILED) == RequestState.FAILED
        ]
        if not waiting:
            return 0
        places = await self._places([request.user_id for request in waiting], now)
        documents = [
            _pending_document(request, place, now)
            for request, place in zip(waiting, places, strict=True)
        ]
        await self._insert([document for document in documents if document["_id"] not in states])
        for document in documents:
            if document["_id"] in states:
                failed = {"_id": document["_id"], "state": RequestState.FAILED.value}
                await self._requests.replace_one(failed, document)
        return len(waiting)

    async def _places(self, user_ids: Sequence[str], now: datetime) -> list[int]:
        lowest = await self._requests.find_one(
            _due(now), {"place": 1}, sort=[("place", ASCENDING), ("written_at", ASCENDING)]
        )
        highest = self._requests.aggregate(
            [
                {
                    "$match": {
                        "user_id": {"$in": sorted(set(user_ids))},
                        "state": RequestState.PENDING.value,
                    }
                },
                {"$group": {"_id": "$user_id", "place": {"$max": "$place"}}},
            ]
        )
        return queue_places(
            user_ids,
            last_places={document["_id"]: document["place"] async for document in highest},
            current_place=lowest["place"] if lowest else 0,
        )

    async def _insert(self, documents: Sequence[Document]) -> None:
        """Another process may have written the same down in between: that is no error."""
        if not documents:
            return
        try:
            await self._requests.insert_many(documents, ordered=False)
        except BulkWriteError as error:
            if any(each["code"] != DUPLICATE_KEY for each in error.details["writeErrors"]):
                raise

    async def lease(self, *, limit: int, until: datetime, now: datetime) -> list[Lease]:
        request_ids = await self._next(limit, now)
        if not request_ids:
            return []
        token = uuid4().hex
        # Another process may lease one of these sessions at this moment, and the
        # index refuses ours: what was taken before that is ours all the same.
        with suppress(DuplicateKeyError):
            await self._requests.update_many(
                {"_id": {"$in": request_ids}, "state": RequestState.PENDING.value},
                {
                    "$set": {
                        "state": RequestState.LEASED.value,
                        "since": now,
                        "lease_token": token,
                        "lease_until": until,
                        "leased_at": now,
                    },
                    "$inc": {"attempts": 1},
                },
            )
        taken = self._requests.find({"_id": {"$in": request_ids}, "lease_token": token})
        leases = {document["_id"]: _lease(document) async for document in taken}
        return [leases[request_id] for request_id in request_ids if request_id in leases]

    async def _next(self, limit: int, now: datetime) -> list[str]:
        leased = self._requests.find({"state": RequestState.LEASED.value}, {"session_key": 1})
        taken_sessions = {document["session_key"] async for document in leased}
        waiting = (
            self._requests.find(
                {**_due(now), "session_key": {"$nin": list(taken_sessions)}}, {"session_key": 1}
            )
            .sort([("place", ASCENDING), ("written_at", ASCENDING)])
            .limit(limit * _PAGE_PER_LEASE)
        )
        by_session: dict[str, str] = {}
        async for document in waiting:
            by_session.setdefault(document["session_key"], document["_id"])
        return list(by_session.values())[:limit]

    async def answer(self, answers: Sequence[Answer], *, now: datetime) -> set[str]:
        if not answers:
            return set()
        await self._requests.bulk_write(
            [
                UpdateOne(
                    _held(answer.lease),
                    {
                        "$set": {
                            "state": RequestState.ANSWERED.value,
                            "since": now,
                            "answer": answer.event.model_dump(mode="python"),
                            "answered_under": answer.lease.token,
                        },
                        "$unset": _LEASE_FIELDS,
                    },
                )
                for answer in answers
            ],
            ordered=False,
        )
        tokens = {answer.lease.request_id: answer.lease.token for answer in answers}
        stored = self._requests.find({"_id": {"$in": list(tokens)}}, {"answered_under": 1})
        return {
            document["_id"]
            async for document in stored
            if document.get("answered_under") == tokens[document["_id"]]
        }

    async def postpone(self, lease: Lease, *, until: datetime, now: datetime) -> None:
        await self._requests.update_one(
            _held(lease),
            {
                "$set": {
                    "state": RequestState.PENDING.value,
                    "since": now,
                    "next_attempt_at": until,
                },
                "$unset": _LEASE_FIELDS,
            },
        )

    async def fail(self, lease: Lease, *, reason: str, now: datetime) -> None:
        await self._requests.update_one(
            _held(lease),
            {
                "$set": {"state": RequestState.FAILED.value, "since": now, "reason": reason},
                "$unset": {**_LEASE_FIELDS, "request": ""},
            },
        )

    async def mark_published(self, request_ids: Sequence[str], *, now: datetime) -> None:
        await self._requests.update_many(
            {
                "_id": {"$in": list(request_ids)},
                "state": {"$in": [RequestState.ANSWERED.value, RequestState.PUBLISHED.value]},
            },
            {"$set": {"state": RequestState.PUBLISHED.value, "since": now}},
        )

    async def confirm(self, request_ids: Sequence[str], *, now: datetime) -> None:
        await self._requests.update_many(
            {"_id": {"$in": list(request_ids)}, "state": RequestState.PUBLISHED.value},
            {
                "$set": {"state": RequestState.CONFIRMED.value, "since": now},
                "$unset": {"request": ""},
            },
        )

    async def drop(
        self, requests: Sequence[tuple[str, str]], *, reason: str, now: datetime
    ) -> None:
        if not requests:
            return
        await self._requests.bulk_write(
            [
                UpdateOne(
                    {"_id": request_id},
                    {
                        "$set": {
                            "user_id": user_id,
                            "state": RequestState.CONFIRMED.value,
                            "since": now,
                            "reason": reason,
                        },
                        "$unset": {
                            **_LEASE_FIELDS,
                            "request": "",
                            "answer": "",
                            "answered_under": "",
                        },
                    },
                    upsert=True,
                )
                for request_id, user_id in requests
            ],
            ordered=False,
        )

    async def release(self, *, now: datetime, leased_before: datetime | None = None) -> int:
        ended: list[Mapping[str, Any]] = [{"lease_until": {"$lte": now}}]
        if leased_before is not None:
            ended.append({"leased_at": {"$lt": leased_before}})
        result = await self._requests.update_many(
            {"state": RequestState.LEASED.value, "$or": ended},
            {
                "$set": {"state": RequestState.PENDING.value, "since": now},
                "$unset": _LEASE_FIELDS,
            },
        )
        return int(result.modified_count)

    async def underway(self, state: RequestState, *, limit: int) -> list[AnsweredRequest]:
        found = (
            self._requests.find(
                {"state": state.value}, {"user_id": 1, "since": 1, "answer.event_id": 1}
            )
            .sort("since", ASCENDING)
            .limit(limit)
        )
        return [
            AnsweredRequest(
                request_id=document["_id"],
                user_id=document["user_id"],
                event_id=document["answer"]["event_id"],
                since=document["since"],
            )
            async for document in found
        ]

    async def answers(self, request_ids: Sequence[str]) -> list[CandidatesProposed]:
        found = self._requests.find(
            {"_id": {"$in": list(request_ids)}, "answer": {"$exists": True}}, {"answer": 1}
        )
        return [CandidatesProposed.model_validate(document["answer"]) async for document in found]

    async def backlog(self) -> Backlog:
        counts: dict[RequestState, int] = {
            state: await self._requests.count_documents({"state": state.value})
            for state in RequestState
            if state is not RequestState.CONFIRMED
        }
        oldest = await self._requests.find_one(
            {"state": RequestState.PENDING.value},
            {"written_at": 1},
            sort=[("written_at", ASCENDING)],
        )
        return Backlog(counts=counts, oldest_pending=oldest["written_at"] if oldest else None)


def _due(now: datetime) -> Document:
    return {"state": RequestState.PENDING.value, "next_attempt_at": {"$lte": now}}


def _held(lease: Lease) -> Document:
    return {
        "_id": lease.request_id,
        "state": RequestState.LEASED.value,
        "lease_token": lease.token,
    }


def _pending_document(request: ExtractionRequested, place: int, now: datetime) -> Document:
    return {
        "_id": request.window_id,
        "user_id": request.user_id,
        "session_key": derive("session", request.user_id, request.session_id),
        "state": RequestState.PENDING.value,
        "since": now,
        "place": place,
        "written_at": now,
        "next_attempt_at": now,
        "attempts": 0,
        "request": request.model_dump(mode="python"),
    }


def _lease(document: Document) -> Lease:
    return Lease(
        request=ExtractionRequested.model_validate(document["request"]),
        token=document["lease_token"],
        attempt=document["attempts"],
    )
