"""The ledger in MongoDB."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime
from uuid import uuid4

from pymongo import ASCENDING, UpdateOne
from pymongo.errors import DuplicateKeyError

from palimpsest.events.extractor_answers import ExtractorAnswer
from palimpsest.events.extractor_requests import ExtractorRequest
from palimpsest_server.stores.collections import LEDGER, LEDGER_TEXTS
from palimpsest_server.stores.ledger import (
    AnsweredRequest,
    LeasedAnswer,
    LedgerBacklog,
    ModelRequestLease,
    ModelRequestState,
    estimate_request_cost,
)
from palimpsest_server.stores.mongo.batched_writes import iterate_batches_with_pauses
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.mongo.ledger_documents import (
    build_lease_filter,
    build_pending_document,
    build_text_document,
    build_transition,
    insert_missing,
    parse_answer,
    parse_question,
)
from palimpsest_server.stores.mongo.ledger_queue import MongoLedgerQueue

_UNDERWAY = [ModelRequestState.ANSWERED.value, ModelRequestState.PUBLISHED.value]


class MongoLedger:
    """`Ledger` in two collections: the queue, and the texts, which the queue need not carry.

    A partial unique index allows one lease per session.
    """

    def __init__(self, database: MongoDatabase) -> None:
        self._requests = database.collection(LEDGER)
        self._texts = database.collection(LEDGER_TEXTS)
        self._line = MongoLedgerQueue(self._requests)

    async def known(self, request_ids: Sequence[str]) -> set[str]:
        found = self._requests.find({"_id": {"$in": list(request_ids)}}, {"_id": 1})
        return {document["_id"] async for document in found}

    async def write_down(self, requests: Sequence[ExtractorRequest], *, now: datetime) -> int:
        by_id = {request.request_id: request for request in requests}
        found = self._requests.find({"_id": {"$in": list(by_id)}}, {"state": 1})
        states = {document["_id"]: document["state"] async for document in found}
        waiting = [
            request
            for request_id, request in by_id.items()
            if states.get(request_id, ModelRequestState.FAILED) == ModelRequestState.FAILED
        ]
        if not waiting:
            return 0
        queued = [estimate_request_cost(request) for request in waiting]
        places = await self._line.places(queued, now)
        # The texts first, because a pending request can be leased at once.
        await insert_missing(self._texts, [build_text_document(request) for request in waiting])
        documents = [
            build_pending_document(request, place, each.cost, now)
            for request, place, each in zip(waiting, places, queued, strict=True)
        ]
        await insert_missing(
            self._requests, [document for document in documents if document["_id"] not in states]
        )
        for document in documents:
            if document["_id"] in states:
                failed = {"_id": document["_id"], "state": ModelRequestState.FAILED.value}
                await self._requests.replace_one(failed, document)
        return len(waiting)

    async def lease(self, *, limit: int, until: datetime, now: datetime) -> list[ModelRequestLease]:
        request_ids = await self._line.first(limit, now)
        if not request_ids:
            return []
        token = uuid4().hex
        # Another process may lease one of these sessions at this moment, and the index refuses our lease of
        # it. Requests leased before the refusal are still ours.
        with suppress(DuplicateKeyError):
            await self._requests.update_many(
                {"_id": {"$in": request_ids}, "state": ModelRequestState.PENDING.value},
                {
                    "$set": {
                        "state": ModelRequestState.LEASED.value,
                        "since": now,
                        "lease_token": token,
                        "lease_until": until,
                        "leased_at": now,
                    },
                    "$inc": {"attempts": 1},
                },
            )
        taken = self._requests.find(
            {"_id": {"$in": request_ids}, "lease_token": token}, {"attempts": 1}
        )
        attempts = {document["_id"]: document["attempts"] async for document in taken}
        requests = await self._read_texts(list(attempts))
        await self._give_up_textless(attempts.keys() - requests.keys(), token, now)
        return [
            ModelRequestLease(
                request=requests[request_id], token=token, attempt=attempts[request_id]
            )
            for request_id in request_ids
            if request_id in requests
        ]

    async def _give_up_textless(
        self, request_ids: Collection[str], token: str, now: datetime
    ) -> None:
        """Give up dropped requests whose dropper died between erasing the text and setting the state."""
        if request_ids:
            await self._requests.update_many(
                {"_id": {"$in": sorted(request_ids)}, "lease_token": token},
                build_transition(ModelRequestState.FAILED, now, reason="text_gone"),
            )

    async def _read_texts(self, request_ids: Sequence[str]) -> dict[str, ExtractorRequest]:
        found = self._texts.find({"_id": {"$in": list(request_ids)}})
        return {document["_id"]: parse_question(document["request"]) async for document in found}

    async def _forget_texts(self, request_ids: Sequence[str]) -> None:
        await self._texts.delete_many({"_id": {"$in": list(request_ids)}})

    async def answer(self, answers: Sequence[LeasedAnswer], *, now: datetime) -> set[str]:
        if not answers:
            return set()
        result = await self._requests.bulk_write(
            [
                UpdateOne(
                    build_lease_filter(answer.lease),
                    build_transition(
                        ModelRequestState.ANSWERED,
                        now,
                        answer=answer.event.model_dump(mode="python"),
                        answered_under=answer.lease.token,
                    ),
                )
                for answer in answers
            ],
            ordered=False,
        )
        tokens = {answer.lease.request_id: answer.lease.token for answer in answers}
        if result.matched_count == len(tokens):
            return set(tokens)
        stored = self._requests.find({"_id": {"$in": list(tokens)}}, {"answered_under": 1})
        return {
            document["_id"]
            async for document in stored
            if document.get("answered_under") == tokens[document["_id"]]
        }

    async def postpone(
        self, lease: ModelRequestLease, *, until: datetime, now: datetime, tried: bool = True
    ) -> None:
        update = build_transition(ModelRequestState.PENDING, now, next_attempt_at=until)
        if not tried:
            update["$inc"] = {"attempts": -1}
        await self._requests.update_one(build_lease_filter(lease), update)

    async def fail(self, lease: ModelRequestLease, *, reason: str, now: datetime) -> None:
        result = await self._requests.update_one(
            build_lease_filter(lease),
            build_transition(ModelRequestState.FAILED, now, reason=reason),
        )
        if result.modified_count:
            await self._forget_texts([lease.request_id])

    async def mark_published(self, request_ids: Sequence[str], *, now: datetime) -> None:
        await self._requests.update_many(
            {"_id": {"$in": list(request_ids)}, "state": {"$in": _UNDERWAY}},
            build_transition(ModelRequestState.PUBLISHED, now),
        )

    async def confirm(self, request_ids: Sequence[str], *, now: datetime) -> None:
        # In batches with pauses: nobody waits for this write, and one large write would delay other calls.
        async for part in iterate_batches_with_pauses(request_ids):
            underway = {"_id": {"$in": list(part)}, "state": {"$in": _UNDERWAY}}
            found = self._requests.find(underway, {"_id": 1})
            # The texts first: nobody needs them any more, and no later call would delete them.
            await self._forget_texts([document["_id"] async for document in found])
            await self._requests.update_many(
                underway, build_transition(ModelRequestState.CONFIRMED, now)
            )

    async def drop(
        self, requests: Sequence[tuple[str, str]], *, reason: str, now: datetime
    ) -> None:
        if not requests:
            return
        await self._forget_texts([request_id for request_id, _ in requests])
        await self._requests.bulk_write(
            [
                UpdateOne(
                    {"_id": request_id},
                    build_transition(
                        ModelRequestState.CONFIRMED,
                        now,
                        gone=("answer", "answered_under"),
                        user_id=user_id,
                        reason=reason,
                    ),
                    upsert=True,
                )
                for request_id, user_id in requests
            ],
            ordered=False,
        )

    async def release(self, *, now: datetime, leased_before: datetime | None = None) -> int:
        released = await self._release({"lease_until": {"$lte": now}}, now)
        if leased_before is not None:
            released += await self._release({"leased_at": {"$lt": leased_before}}, now)
        return released

    async def _release(self, ended: Document, now: datetime) -> int:
        result = await self._requests.update_many(
            {"state": ModelRequestState.LEASED.value, **ended},
            build_transition(ModelRequestState.PENDING, now),
        )
        return int(result.modified_count)

    async def underway(self, state: ModelRequestState, *, limit: int) -> list[AnsweredRequest]:
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

    async def answers(self, request_ids: Sequence[str]) -> list[ExtractorAnswer]:
        found = self._requests.find(
            {"_id": {"$in": list(request_ids)}, "answer": {"$exists": True}}, {"answer": 1}
        )
        return [parse_answer(document["answer"]) async for document in found]

    async def backlog(self) -> LedgerBacklog:
        counts: dict[ModelRequestState, int] = {
            state: await self._requests.count_documents({"state": state.value})
            for state in ModelRequestState
            if state is not ModelRequestState.CONFIRMED
        }
        oldest = await self._requests.find_one(
            {"state": ModelRequestState.PENDING.value},
            {"written_at": 1},
            sort=[("written_at", ASCENDING)],
        )
        return LedgerBacklog(counts=counts, oldest_pending=oldest["written_at"] if oldest else None)
