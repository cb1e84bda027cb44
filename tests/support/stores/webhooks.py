"""Webhooks in memory: the twin for tests."""

from collections.abc import Collection, Sequence
from datetime import datetime

from palimpsest.api.webhooks import DeliveryState, WebhookDelivery
from palimpsest_server.stores.webhooks import (
    Deliveries,
    DueDeliveries,
    KnownWebhook,
    require_cursor,
)


class InMemoryWebhooks:
    def __init__(self) -> None:
        self._webhooks: dict[str, KnownWebhook] = {}
        self._held: dict[str, tuple[str, datetime]] = {}
        self._deliveries: dict[str, WebhookDelivery] = {}

    async def add(self, webhook: KnownWebhook) -> KnownWebhook:
        return self._webhooks.setdefault(webhook.id, webhook)

    async def list(self) -> Sequence[KnownWebhook]:
        return sorted(self._webhooks.values(), key=lambda webhook: (webhook.created_at, webhook.id))

    async def write(self, webhook: KnownWebhook, fields: Collection[str]) -> None:
        known = self._webhooks.get(webhook.id)
        if known is not None:
            chosen = {name: getattr(webhook, name) for name in fields}
            self._webhooks[webhook.id] = known.model_copy(update=chosen)

    async def delete(self, webhook_id: str) -> None:
        self._webhooks.pop(webhook_id, None)
        self._deliveries = {
            name: delivery
            for name, delivery in self._deliveries.items()
            if delivery.webhook_id != webhook_id
        }

    async def queued(self, webhook_ids: Collection[str], through: datetime) -> None:
        for webhook_id in webhook_ids:
            known = self._webhooks.get(webhook_id)
            if known is not None and known.queued_through < through:
                self._webhooks[webhook_id] = known.model_copy(update={"queued_through": through})

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
        fresh = {
            delivery.id: delivery for delivery in deliveries if delivery.id not in self._deliveries
        }
        self._deliveries |= fresh
        return len(fresh)

    async def due(self, webhook_id: str, *, now: datetime, limit: int) -> DueDeliveries:
        deliveries = [delivery for delivery in self._pending(webhook_id) if delivery.due_at <= now]
        deliveries.sort(
            key=lambda delivery: (delivery.due_at, delivery.changed.revision, delivery.id)
        )
        return DueDeliveries(deliveries[:limit], self._heads(webhook_id, deliveries[:limit]))

    def _heads(self, webhook_id: str, due: Sequence[WebhookDelivery]) -> Deliveries:
        subjects = {delivery.subject for delivery in due}
        pending = sorted(
            self._pending(webhook_id), key=lambda delivery: (delivery.changed.revision, delivery.id)
        )
        first: dict[str, WebhookDelivery] = {}
        for webhook_delivery in pending:
            first.setdefault(webhook_delivery.subject, webhook_delivery)
        return [delivery for subject, delivery in first.items() if subject in subjects]

    async def record(self, deliveries: Sequence[WebhookDelivery]) -> None:
        self._deliveries |= {
            delivery.id: delivery for delivery in deliveries if delivery.id in self._deliveries
        }

    async def replay(self, webhook_id: str, delivery_ids: Collection[str], *, now: datetime) -> int:
        chosen = [
            delivery
            for delivery in self._deliveries.values()
            if delivery.webhook_id == webhook_id
            and (
                delivery.id in delivery_ids
                if delivery_ids
                else delivery.state is DeliveryState.FAILED
            )
        ]
        again = {"state": DeliveryState.PENDING, "attempts": 0, "due_at": now}
        self._deliveries |= {delivery.id: delivery.model_copy(update=again) for delivery in chosen}
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
            delivery
            for delivery in self._deliveries.values()
            if delivery.webhook_id == webhook_id and (states is None or delivery.state in states)
        ]
        if after is not None:
            last = require_cursor(self._deliveries.get(after))
            found = [delivery for delivery in found if _place(delivery) < _place(last)]
        return sorted(found, key=_place, reverse=True)[:limit]

    def _pending(self, webhook_id: str) -> Deliveries:
        return [
            delivery
            for delivery in self._deliveries.values()
            if delivery.webhook_id == webhook_id and delivery.state is DeliveryState.PENDING
        ]


def _place(delivery: WebhookDelivery) -> tuple[datetime, str]:
    return (delivery.queued_at, delivery.id)
