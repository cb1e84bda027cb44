"""Webhooks and their deliveries in MongoDB."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime
from time import monotonic
from typing import Any

from pymongo.errors import BulkWriteError, DuplicateKeyError

from palimpsest.api.webhooks import DeliveryState, WebhookDelivery
from palimpsest_server.domain.webhook_schedule import order_of_change
from palimpsest_server.stores.collections import WEBHOOK_DELIVERIES, WEBHOOKS
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.mongo.id_lists import build_updates
from palimpsest_server.stores.webhooks import (
    Deliveries,
    DueDeliveries,
    KnownWebhook,
    require_cursor,
)

_RECORDS_AT_ONCE = 16
"""Records read at once. The head of a record is one step in an index; a query over many would scan."""

_WAITING = 256
"""Up to this many deliveries that wait behind the due ones are read at once, to find the first of each record."""

_MANY_FOR_SECONDS = 60.0
"""So long after many waited, due ones and heads are read apart."""

_OUTCOME = ("state", "attempts", "tried_at", "response_status", "failure")


class MongoWebhooks:
    def __init__(self, database: MongoDatabase) -> None:
        self._webhooks = database.collection(WEBHOOKS)
        self._deliveries = database.collection(WEBHOOK_DELIVERIES)
        self._many_until: dict[str, float] = {}

    async def add(self, webhook: KnownWebhook) -> KnownWebhook:
        try:
            await self._webhooks.insert_one(_document(webhook))
        except DuplicateKeyError:
            known = await self._webhooks.find_one({"_id": webhook.id})
            return webhook if known is None else _webhook(known)
        return webhook

    async def list(self) -> Sequence[KnownWebhook]:
        found = await self._webhooks.find({}).sort([("created_at", 1), ("_id", 1)]).to_list(None)
        return [_webhook(document) for document in found]

    async def write(self, webhook: KnownWebhook, fields: Collection[str]) -> None:
        document = _document(webhook)
        chosen = {name: document[name] for name in fields}
        await self._webhooks.update_one({"_id": webhook.id}, {"$set": chosen})

    async def delete(self, webhook_id: str) -> None:
        await self._webhooks.delete_one({"_id": webhook_id})
        await self._deliveries.delete_many({"webhook_id": webhook_id})

    async def queued(self, webhook_ids: Collection[str], through: datetime) -> None:
        await self._webhooks.update_many(
            {"_id": {"$in": list(webhook_ids)}}, {"$max": {"queued_through": through}}
        )

    async def lease(self, webhook_id: str, holder: str, *, now: datetime, until: datetime) -> bool:
        free = [{"holder": holder}, {"held_until": {"$lt": now}}, {"held_until": None}]
        outcome = await self._webhooks.update_one(
            {"_id": webhook_id, "$or": free}, {"$set": {"holder": holder, "held_until": until}}
        )
        return outcome.matched_count > 0

    async def release(self, webhook_id: str, holder: str) -> None:
        await self._webhooks.update_one(
            {"_id": webhook_id, "holder": holder}, {"$set": {"held_until": None}}
        )

    async def queue(self, deliveries: Sequence[WebhookDelivery]) -> int:
        documents = [
            {**to_document(delivery), "subject": delivery.subject} for delivery in deliveries
        ]
        if not documents:
            return 0
        try:
            await self._deliveries.insert_many(documents, ordered=False)
        except BulkWriteError as error:
            return len(documents) - len(require_only_duplicates(error))
        return len(documents)

    async def due(self, webhook_id: str, *, now: datetime, limit: int) -> DueDeliveries:
        # Mostly few wait, and one read of all of them tells everything.
        if monotonic() >= self._many_until.get(webhook_id, 0.0):
            few = limit + _WAITING
            found = await self._deliveries.find(_pending(webhook_id)).limit(few + 1).to_list(None)
            if len(found) <= few:
                return _find_due(found, now=now, limit=limit)
            # All that wait were read for it, and would be each time.
            self._many_until[webhook_id] = monotonic() + _MANY_FOR_SECONDS
        due = await self._read_due(webhook_id, now=now, limit=limit)
        return DueDeliveries(due, await self._heads(webhook_id, due))

    async def _read_due(self, webhook_id: str, *, now: datetime, limit: int) -> Deliveries:
        which = {**_pending(webhook_id), "due_at": {"$lte": now}}
        order = [("due_at", 1), ("changed.revision", 1), ("_id", 1)]
        found = await self._deliveries.find(which).sort(order).limit(limit).to_list(limit)
        return [from_document(WebhookDelivery, document) for document in found]

    async def _heads(self, webhook_id: str, due: Deliveries) -> Deliveries:
        if not due:
            return []
        # What is due earlier than the last of them is among them.
        behind = {**_pending(webhook_id), "due_at": {"$gte": due[-1].due_at}}
        found = await self._deliveries.find(behind).limit(_WAITING + 1).to_list(None)
        if len(found) > _WAITING:
            return await self._read_heads(webhook_id, {delivery.subject for delivery in due})
        waiting = [from_document(WebhookDelivery, document) for document in found]
        return _find_heads(due, [*due, *waiting])

    async def _read_heads(self, webhook_id: str, subjects: Collection[str]) -> Deliveries:
        turnstile = asyncio.Semaphore(_RECORDS_AT_ONCE)

        async def head(subject: str) -> Deliveries:
            which = {**_pending(webhook_id), "subject": subject}
            async with turnstile:
                order = [("changed.revision", 1), ("_id", 1)]
                found = await self._deliveries.find(which).sort(order).limit(1).to_list(1)
            return [from_document(WebhookDelivery, document) for document in found]

        return [
            delivery
            for deliveries in await asyncio.gather(*map(head, subjects))
            for delivery in deliveries
        ]

    async def record(self, deliveries: Sequence[WebhookDelivery]) -> None:
        # Most outcomes are the same, and a write of many costs a fraction of many writes.
        alike: dict[tuple[Any, ...], list[str]] = {}
        for delivery in deliveries:
            due_at = delivery.due_at if delivery.state is DeliveryState.PENDING else None
            outcome = (*(getattr(delivery, name) for name in _OUTCOME), due_at)
            alike.setdefault(outcome, []).append(delivery.id)
        writes = [
            write
            for outcome, ids in alike.items()
            for write in build_updates(ids, {"$set": _outcome_document(outcome)})
        ]
        if writes:
            await self._deliveries.bulk_write(writes, ordered=False)

    async def replay(self, webhook_id: str, delivery_ids: Collection[str], *, now: datetime) -> int:
        which: Document = {"webhook_id": webhook_id}
        if delivery_ids:
            which["_id"] = {"$in": list(delivery_ids)}
        else:
            which["state"] = DeliveryState.FAILED.value
        again = {"state": DeliveryState.PENDING.value, "attempts": 0, "due_at": now}
        outcome = await self._deliveries.update_many(which, {"$set": again})
        return outcome.matched_count

    async def deliveries(
        self,
        webhook_id: str,
        *,
        states: Collection[DeliveryState] | None,
        limit: int,
        after: str | None,
    ) -> Deliveries:
        which: Document = {"webhook_id": webhook_id}
        if states is not None:
            which["state"] = {"$in": [state.value for state in states]}
        if after is not None:
            named = {"_id": after, "webhook_id": webhook_id}
            last = require_cursor(await self._deliveries.find_one(named))
            queued_at = last["queued_at"]
            behind = {"queued_at": queued_at, "_id": {"$lt": after}}
            which["$or"] = [{"queued_at": {"$lt": queued_at}}, behind]
        order = [("queued_at", -1), ("_id", -1)]
        found = await self._deliveries.find(which).sort(order).limit(limit).to_list(limit)
        return [from_document(WebhookDelivery, document) for document in found]


def _find_due(documents: list[Document], *, now: datetime, limit: int) -> DueDeliveries:
    pending = [from_document(WebhookDelivery, document) for document in documents]
    pending.sort(key=lambda delivery: (delivery.due_at, *order_of_change(delivery)))
    due = [delivery for delivery in pending if delivery.due_at <= now][:limit]
    return DueDeliveries(due, _find_heads(due, pending))


def _find_heads(due: Deliveries, pending: Deliveries) -> Deliveries:
    first: dict[str, WebhookDelivery] = {}
    for delivery in sorted(pending, key=order_of_change):
        first.setdefault(delivery.subject, delivery)
    subjects = {delivery.subject for delivery in due}
    return [delivery for subject, delivery in first.items() if subject in subjects]


def _document(webhook: KnownWebhook) -> Document:
    """Return the document of a webhook, sealed by the deployment's key.

    Its user is stored as `of_user` so that no key of the user seals it: the endpoint is told of the user's
    erasures, and outlives them.
    """
    document = to_document(webhook)
    document["of_user"] = document.pop("user_id")
    document["types"] = None if webhook.types is None else sorted(webhook.types)
    return document


def _webhook(document: Document) -> KnownWebhook:
    return from_document(KnownWebhook, {**document, "user_id": document["of_user"]})


def _outcome_document(outcome: Sequence[Any]) -> Document:
    state, *others, due_at = outcome
    document = dict(zip(_OUTCOME, (state.value, *others), strict=True))
    return document if due_at is None else {**document, "due_at": due_at}


def _pending(webhook_id: str) -> Document:
    return {"webhook_id": webhook_id, "state": DeliveryState.PENDING.value}
