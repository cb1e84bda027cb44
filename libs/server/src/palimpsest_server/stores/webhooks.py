"""Webhooks and their deliveries: an outbox of changes that are sent to outside endpoints."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol, TypeVar

from palimpsest.api.webhooks import DeliveryState, Webhook, WebhookDelivery
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.value_types import Instant


class KnownWebhook(Webhook):
    """A webhook with the fields that only its sender knows."""

    secret: str
    queued_through: Instant
    """Moment before which every decided change is queued."""

    @property
    def shown(self) -> Webhook:
        return Webhook.model_validate(self.model_dump(include=set(Webhook.model_fields)))


Deliveries = list[WebhookDelivery]


class DueDeliveries(NamedTuple):
    due: Deliveries
    """Pending deliveries that are due, the longest due first."""
    heads: Deliveries
    """The earliest pending delivery of each record of `due`, due or not."""


FoundT = TypeVar("FoundT")


class WebhookStore(Protocol):
    async def add(self, webhook: KnownWebhook) -> KnownWebhook:
        """Store a webhook unless its id is known; return the stored one."""
        ...

    async def list(self) -> Sequence[KnownWebhook]:
        """Return all webhooks of all users, the oldest first."""
        ...

    async def write(self, webhook: KnownWebhook, fields: Collection[str]) -> None:
        """Write these fields of a webhook, unless it is deleted."""
        ...

    async def delete(self, webhook_id: str) -> None:
        """Delete a webhook with its deliveries."""
        ...

    async def queued(self, webhook_ids: Collection[str], through: datetime) -> None:
        """Record that all changes decided before `through` are queued for these webhooks."""
        ...

    async def lease(self, webhook_id: str, holder: str, *, now: datetime, until: datetime) -> bool:
        """Take or prolong the right to send to a webhook; return False if another holder has it."""
        ...

    async def release(self, webhook_id: str, holder: str) -> None:
        """Give the right to send back."""
        ...

    async def queue(self, deliveries: Sequence[WebhookDelivery]) -> int:
        """Store deliveries whose ids are unknown; return how many."""
        ...

    async def due(self, webhook_id: str, *, now: datetime, limit: int) -> DueDeliveries:
        """Return at most `limit` pending deliveries that are due by now, and their heads."""
        ...

    async def record(self, deliveries: Sequence[WebhookDelivery]) -> None:
        """Write the outcome of these deliveries."""
        ...

    async def replay(self, webhook_id: str, delivery_ids: Collection[str], *, now: datetime) -> int:
        """Make these deliveries due again, or all failed ones if none is named; return how many."""
        ...

    async def deliveries(
        self,
        webhook_id: str,
        *,
        states: Collection[DeliveryState] | None,
        limit: int,
        after: str | None,
    ) -> Deliveries:
        """Return deliveries to one webhook, latest first, after the delivery `after`.

        Raises:
            RecordNotFound: there is no such delivery.
        """
        ...


def require_cursor(found: FoundT | None) -> FoundT:
    """Return the delivery that a cursor names.

    Raises:
        RecordNotFound: the cursor names no delivery.
    """
    if found is None:
        raise RecordNotFound("no delivery of the cursor's id is in this list")
    return found
