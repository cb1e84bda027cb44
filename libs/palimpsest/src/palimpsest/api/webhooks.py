"""Webhooks: endpoints that receive changes, and the ledger of deliveries."""

from enum import StrEnum
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from palimpsest.api.change_events import ChangedRecord, ChangeEventType
from palimpsest.model.value_types import Identifier, Instant, Value


def _is_web_address(url: str) -> str:
    if not url.isascii() or not url.isprintable() or " " in url or "#" in url:
        raise ValueError("an address in ASCII without spaces and without #")
    # Both raise a ValueError of their own for an invalid address.
    parts = urlsplit(url)
    named = bool(parts.hostname) and parts.port != 0
    if parts.scheme not in {"http", "https"} or not named or "@" in parts.netloc:
        raise ValueError("an address such as https://example.com/hooks, without name and password")
    return url


WebhookUrl = Annotated[str, Field(max_length=2_000), AfterValidator(_is_web_address)]

WebhookSecret = Annotated[str, Field(pattern=r"^whsec_[A-Za-z0-9+/]{32,88}={0,2}$")]


class WebhookQuery(Value):
    """The webhooks of one user, or those of the deployment without `user_id`."""

    user_id: Identifier | None = None
    """The user whose webhooks are meant; left out, webhooks for all users."""


class AddWebhookRequest(Value):
    """`POST /v1/webhooks`: a new endpoint."""

    url: WebhookUrl
    """The address that receives each change; https, and reachable from the Internet."""
    types: frozenset[ChangeEventType] | None = None
    """Only these kinds of change; null for all of them."""
    agent_id: Identifier | None = None
    """Only changes that this agent sees; null for all changes of the user."""
    content: bool = False
    """True to send the content of the records as well, not only ids and kinds of change."""
    description: Annotated[str, Field(max_length=200)] = ""
    """A description that tells the endpoint from others, at most 200 characters."""
    secret: WebhookSecret | None = None
    """The secret that signs requests; left out, a new one is made."""


class EditWebhookRequest(Value):
    """`PATCH /v1/webhooks/{webhook_id}`: fields to change; a field left out stays."""

    url: WebhookUrl | None = None
    """The new address; null leaves it unchanged."""
    types: frozenset[ChangeEventType] | None = None
    """Only these kinds of change from now on; null for all of them."""
    content: bool | None = None
    """True to send the content of the records as well; null leaves it unchanged."""
    description: Annotated[str, Field(max_length=200)] | None = None
    """The new description; null leaves it unchanged."""
    enabled: bool | None = None
    """True to switch the endpoint on again, false to switch it off; waiting deliveries are kept."""


class Webhook(Value):
    """An endpoint that receives changes."""

    id: str
    """The id of the webhook."""
    user_id: str | None = None
    """The user whose changes are sent; null for those of all users."""
    agent_id: str | None = None
    """The agent whose view is sent; null for all changes of the user."""
    url: str
    """The address that changes are sent to."""
    types: frozenset[ChangeEventType] | None = None
    """The kinds of change that are sent; null for all of them."""
    content: bool = False
    """True if the content of the records is sent."""
    description: str = ""
    """A description that tells the endpoint from others."""
    enabled: bool = True
    """False if nothing is sent; waiting deliveries are kept."""
    disabled_reason: Literal["by_hand", "failing", "gone"] | None = None
    """The reason why it is off: `by_hand`, `failing` for days, or `gone` after an answer of 410."""
    failing_since: Instant | None = None
    """When the current failures in a row began, in UTC; null if the last attempt succeeded."""
    created_at: Instant


class AddedWebhook(Webhook):
    """A new endpoint with its secret, which is not shown again."""

    secret: str
    """The secret by which a library of Standard Webhooks verifies requests."""


class WebhookList(Value):
    webhooks: tuple[Webhook, ...]
    """The webhooks, the oldest first."""


class DeliveryState(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    """All attempts have failed."""


class DeliveryQuery(WebhookQuery):
    """`GET /v1/webhooks/{webhook_id}/deliveries`: its deliveries, latest first."""

    state: frozenset[DeliveryState] | None = None
    """Only deliveries in these states; left out, all of them."""
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    """The most deliveries to return, 1 to 500."""
    cursor: Identifier | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""


class WebhookDelivery(Value):
    """One change to be sent to one endpoint."""

    id: str
    """The id of the delivery."""
    webhook_id: str
    """The webhook that it is sent to."""
    event_id: str
    """The id of the change, sent in the header `webhook-id`; the same in every attempt."""
    type: ChangeEventType
    """The kind of the change, such as `memory.created`."""
    timestamp: Instant
    """When the change was decided, in UTC."""
    changed: ChangedRecord
    """The record that changed, without its content."""
    state: DeliveryState = DeliveryState.PENDING
    """The state of the delivery: pending, delivered or failed."""
    attempts: int = 0
    """The number of attempts since it was queued or repeated."""
    due_at: Instant
    """When the next attempt is due, in UTC."""
    queued_at: Instant
    """When it was queued, in UTC."""
    tried_at: Instant | None = None
    """When it was last attempted, in UTC; null if never."""
    response_status: int | None = None
    """The status of the endpoint's last answer; null if it did not answer."""
    failure: str | None = None
    """The reason of the last failure, in a word; null without one."""

    @property
    def subject(self) -> str:
        """The record that the delivery is about; deliveries of one record are sent in order."""
        return f"{self.changed.user_id}/{self.changed.record}/{self.changed.id}"


class DeliveryList(Value):
    """One page of deliveries, latest first."""

    deliveries: tuple[WebhookDelivery, ...]
    """The deliveries, latest first."""
    next_cursor: str | None = None


class ReplayRequest(Value):
    """`POST /v1/webhooks/{webhook_id}/replay`: the deliveries to send again."""

    delivery_ids: Annotated[tuple[Identifier, ...], Field(max_length=500)] = ()
    """The deliveries to send again; empty for all that failed."""


class ReplayResult(Value):
    replayed: int
    """The number of deliveries that are sent again."""


class WebhookTest(Value):
    """The outcome of a test request to an endpoint."""

    delivered: bool
    """True if the endpoint answered with a status of 200 to 299."""
    response_status: int | None = None
    """The status of the endpoint's answer; null if it did not answer."""
    failure: str | None = None
    """The reason of the failure, in a word; null without one."""
