"""Webhooks and the ledger of their deliveries: the outbox of changes that others are told of."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from palimpsest.api.webhooks import DeliveryState, Webhook, WebhookDelivery
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.value_types import Instant


class KnownWebhook(Webhook):
    """A webhook with what only its sender knows."""

    secret: str
    queued_through: Instant
    """Moment before which every decided change is queued."""

    @property
    def shown(self) -> Webhook:
        return Webhook.model_validate(self.model_dump(include=set(Webhook.model_fields)))


Deliveries = list[WebhookDelivery]
FoundT = TypeVar("FoundT")


class WebhookStore(Protocol):
    async def add(self, webhook: KnownWebhook) -> KnownWebhook:
        """Keep it unless its id is known; answers the one that stands."""
        ...

    async def list(self) -> Sequence[KnownWebhook]:
        """Return all webhooks of all users, the oldest first."""
        ...

    async def write(self, webhook: KnownWebhook, fields: Collection[str]) -> None:
        """Write these fields of it, unless it is deleted."""
        ...

    async def delete(self, webhook_id: str) -> None:
        """Delete it with its deliveries."""
        ...

    async def queued(self, webhook_ids: Collection[str], through: datetime) -> None:
        """Say that what was decided before this moment is queued for these."""
        ...

    async def lease(self, webhook_id: str, holder: str, *, now: datetime, until: datetime) -> bool:
        """Take the right to send to it, or prolong it; False if somebody else has it."""
        ...

    async def release(self, webhook_id: str, holder: str) -> None:
        """Give that right back."""
        ...

    async def queue(self, deliveries: Sequence[WebhookDelivery]) -> int:
        """Keep those whose ids are not known; how many these were."""
        ...

    async def due(self, webhook_id: str, *, now: datetime, limit: int) -> Deliveries:
        """Return pending deliveries that are due by now, the longest due first."""
        ...

    async def heads(self, webhook_id: str, subjects: Collection[str]) -> Deliveries:
        """Return the earliest pending delivery of each of these records, due or not."""
        ...

    async def record(self, deliveries: Sequence[WebhookDelivery]) -> None:
        """Write what became of these."""
        ...

    async def replay(self, webhook_id: str, delivery_ids: Collection[str], *, now: datetime) -> int:
        """Make these due again, or all that failed where none is named; how many these were."""
        ...

    async def deliveries(
        self,
        webhook_id: str,
        *,
        states: Collection[DeliveryState] | None,
        limit: int,
        after: str | None,
    ) -> Deliveries:
        """Return deliveries to one webhook, the latest first, behind the one of the id `after`.

        Raises:
            RecordNotFound: there is no such delivery.
        """
        ...


def require_cursor(found: FoundT | None) -> FoundT:
    """Return the delivery that a cursor names.

    Raises:
        RecordNotFound: there is none.
    """
    if found is None:
        raise RecordNotFound("no delivery of the cursor's id is in this list")
    return found
