"""Webhooks in memory: the twin for tests."""

from collections.abc import Collection, Sequence
from datetime import datetime

from palimpsest.api.webhooks import DeliveryState, WebhookDelivery
from palimpsest_server.stores.webhooks import Deliveries, KnownWebhook, require_cursor


class InMemoryWebhooks:
    def __init__(self) -> None:
        self._webhooks: dict[str, KnownWebhook] = {}
        self._held: dict[str, tuple[str, datetime]] = {}
        self._deliveries: dict[str, WebhookDelivery] = {}

    async def add(self, webhook: KnownWebhook) -> KnownWebhook:
        return self._webhooks.setdefault(webhook.id, webhook)

    async def list(self) -> Sequence[KnownWebhook]:
        return sorted(self._webhooks.values(), key=lambda each: (each.created_at, each.id))

    async def write(self, webhook: KnownWebhook, fields: Collection[str]) -> None:
        known = self._webhooks.get(webhook.id)
        if known is not None:
            chosen = {name: getattr(webhook, name) for name in fields}
            self._webhooks[webhook.id] = known.model_copy(update=chosen)

    async def delete(self, webhook_id: str) -> None:
        self._webhooks.pop(webhook_id, None)
        self._deliveries = {
            name: each for name, each in self._deliveries.items() if each.webhook_id != webhook_id
        }

    async def queued(self, webhook_ids: Collection[str], through: datetime) -> None:
        for each in webhook_ids:
            known = self._webhooks.get(each)
            if known is not None and known.queued_through < through:
                self._webhooks[each] = known.model_copy(update={"queued_through": through})

    async def lease(self, webhook_id: str, holder: str, *, now: datetime, until: datetime) -> bool:
        held = self._held.get(webhook_id)
        if webhook_id not in self._webhooks or (held and held[0] != holder and held[1] >= now):
            return False
        self._held[webhook_id] = (holder, until)
        return True

    async def release(self, webhook_id: str, holder: str) -> None:
        if self._held.get(webhook_id, ("",))[0] == holder:
            del self._held[webhook_id]

    async def queue(self, deliveries: Sequence[WebhookDelivery]) -> int:
        fresh = {each.id: each for each in deliveries if each.id not in self._deliveries}
        self._deliveries |= fresh
        return len(fresh)

    async def due(self, webhook_id: str, *, now: datetime, limit: int) -> Deliveries:
        found = [each for each in self._pending(webhook_id) if each.due_at <= now]
        found.sort(key=lambda each: (each.due_at, each.changed.revision, each.id))
        return found[:limit]

    async def heads(self, webhook_id: str, subjects: Collection[str]) -> Deliveries:
        pending = sorted(
            self._pending(webhook_id), key=lambda each: (each.changed.revision, each.id)
        )
        first: dict[str, WebhookDelivery] = {}
        for each in pending:
            first.setdefault(each.subject, each)
        return [each for subject, each in first.items() if subject in subjects]

    async def record(self, deliveries: Sequence[WebhookDelivery]) -> None:
        self._deliveries |= {each.id: each for each in deliveries if each.id in self._deliveries}

    async def replay(self, webhook_id: str, delivery_ids: Collection[str], *, now: datetime) -> int:
        chosen = [
            each
            for each in self._deliveries.values()
            if each.webhook_id == webhook_id
            and (each.id in delivery_ids if delivery_ids else each.state is DeliveryState.FAILED)
        ]
        again = {"state": DeliveryState.PENDING, "attempts": 0, "due_at": now}
        self._deliveries |= {each.id: each.model_copy(update=again) for each in chosen}
        return len(chosen)

    async def deliveries(
        self,
        webhook_id: str,
        *,
        states: Collection[DeliveryState] | None,
        limit: int,
        after: str | None,
    ) -> Deliveries:
        found = [
            each
            for each in self._deliveries.values()
            if each.webhook_id == webhook_id and (states is None or each.state in states)
        ]
        if after is not None:
            last = require_cursor(self._deliveries.get(after))
            found = [each for each in found if _place(each) < _place(last)]
        return sorted(found, key=_place, reverse=True)[:limit]

    def _pending(self, webhook_id: str) -> Deliveries:
        return [
            each
            for each in self._deliveries.values()
            if each.webhook_id == webhook_id and each.state is DeliveryState.PENDING
        ]


def _place(delivery: WebhookDelivery) -> tuple[datetime, str]:
    return (delivery.queued_at, delivery.id)
