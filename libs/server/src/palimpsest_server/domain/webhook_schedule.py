"""Schedule of requests to a webhook: tries, pauses, order by record, and switching off. Pure."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from palimpsest.api.change_events import ChangeEvent, sees_record
from palimpsest.api.webhooks import DeliveryState, Webhook, WebhookDelivery
from palimpsest.model.identifiers import derive_id

RETRY_DELAYS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=12),
)
"""Delay after each failed try of a delivery; a failure after the last delay is final."""

SWITCHED_OFF_AFTER = timedelta(days=5)
"""Time without a success after which an endpoint is switched off."""

LONGEST_PAUSE = RETRY_DELAYS[1]
"""Longest pause of an endpoint that is away, because many deliveries wait for it."""

GONE = 410

WebhookT = TypeVar("WebhookT", bound=Webhook)


def build_deliveries(
    webhook: Webhook, events: Iterable[ChangeEvent], now: datetime
) -> list[WebhookDelivery]:
    """Build the deliveries of these events to the webhook; the events hold no words."""
    return [
        WebhookDelivery(
            id=derive_id("webhook delivery", webhook.id, event.id),
            webhook_id=webhook.id,
            event_id=event.id,
            type=event.type,
            timestamp=event.timestamp,
            changed=event.data,
            due_at=now,
            queued_at=now,
        )
        for event in events
        if event.timestamp >= webhook.created_at
        and (webhook.types is None or event.type in webhook.types)
        and sees_record(event.data, webhook.user_id, webhook.agent_id, None)
    ]


class Attempt(NamedTuple):
    """The outcome of one request."""

    status: int | None = None
    failure: str | None = None
    """The failure in a word; None if the request succeeded."""


def record_attempt(delivery: WebhookDelivery, attempt: Attempt, now: datetime) -> WebhookDelivery:
    """Return the delivery after this try: delivered, due again, or failed for good."""
    attempts = delivery.attempts + 1
    state, due_at = DeliveryState.DELIVERED, delivery.due_at
    if attempt.failure is not None:
        state = DeliveryState.FAILED
        if attempts <= len(RETRY_DELAYS):
            state, due_at = DeliveryState.PENDING, now + RETRY_DELAYS[attempts - 1]
    return delivery.model_copy(
        update={
            "state": state,
            "attempts": attempts,
            "due_at": due_at,
            # To the second: the outcomes of a batch are the same then, and are written at once.
            "tried_at": now.replace(microsecond=0),
            "response_status": attempt.status,
            "failure": attempt.failure,
        }
    )


def record_outcome(webhook: WebhookT, attempts: Sequence[Attempt], now: datetime) -> WebhookT:
    """Return the webhook after these tries, which were made in parallel."""
    if any(attempt.status == GONE for attempt in attempts):
        return webhook.model_copy(update={"enabled": False, "disabled_reason": "gone"})
    if any(attempt.failure is None for attempt in attempts):
        return webhook.model_copy(update={"failing_since": None})
    since = webhook.failing_since or now
    if now - since >= SWITCHED_OFF_AFTER:
        off = {"enabled": False, "disabled_reason": "failing", "failing_since": since}
        return webhook.model_copy(update=off)
    return webhook.model_copy(update={"failing_since": since})


def compute_pause(failures: int) -> timedelta:
    """Return how long an endpoint is left alone after this many failures in a row."""
    return min(RETRY_DELAYS[min(failures, len(RETRY_DELAYS)) - 1], LONGEST_PAUSE)


class Selection(NamedTuple):
    """Due deliveries, split into those sent now and those that wait for another one."""

    runs: list[list[WebhookDelivery]]
    """Runs of one record each, sent one after another; different runs may be sent in parallel."""
    postponed: list[WebhookDelivery]
    """Deliveries that wait for an earlier one of their record, and are due with it."""


def select_deliveries(
    due: Iterable[WebhookDelivery], heads: Iterable[WebhookDelivery]
) -> Selection:
    """Group due deliveries by record, in the order of changes.

    Args:
        due: deliveries to one webhook that are due.
        heads: the earliest pending delivery of each of their records.
    """
    first = {head.subject: head for head in heads}
    runs: dict[str, list[WebhookDelivery]] = {}
    for delivery in sorted(due, key=order_of_change):
        runs.setdefault(delivery.subject, []).append(delivery)
    ready = {name for name, run in runs.items() if run[0].id == first.get(name, run[0]).id}
    # A delivery comes after the head of its record, whatever became due meanwhile.
    postponed = [
        delivery.model_copy(update={"due_at": first[name].due_at})
        for name, run in runs.items()
        if name not in ready
        for delivery in run
    ]
    return Selection([run for name, run in runs.items() if name in ready], postponed)


def order_of_change(delivery: WebhookDelivery) -> tuple[int, str]:
    return (delivery.changed.revision, delivery.id)
