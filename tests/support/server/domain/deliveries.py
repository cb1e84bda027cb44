"""Webhooks and deliveries to them, for tests."""

from typing import Any

from palimpsest.api.change_events import ChangedRecord, ChangeEventType
from palimpsest.api.webhooks import WebhookDelivery
from palimpsest_server.stores.webhooks import KnownWebhook
from tests.support.server.domain.consolidation.samples import day

SECRET = "whsec_" + "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="


def known_webhook(name: str = "hook", **fields: Any) -> KnownWebhook:
    return KnownWebhook.model_validate(
        {
            "id": name,
            "url": "https://example.com/hook",
            "secret": SECRET,
            "created_at": day(0),
            "queued_through": day(0),
            **fields,
        }
    )


def delivery(revision: int, *, memory: str = "tea", **fields: Any) -> WebhookDelivery:
    """Return the events that one change set, of this revision, tells of a memory."""
    return WebhookDelivery.model_validate(
        {
            "id": f"d{revision} of {memory}",
            "webhook_id": "hook",
            "event_id": f"e{revision} of {memory}",
            "type": ChangeEventType.MEMORY_UPDATED,
            "timestamp": day(1),
            "changed": ChangedRecord(
                record="memory",
                id=memory,
                user_id="alice",
                change_set_id=f"c{revision}",
                revision=revision,
            ),
            "due_at": day(1),
            "queued_at": day(1),
            **fields,
        }
    )
