"""Webhooks as people look after them: endpoints that are told of changes."""

import base64
import secrets
from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.webhooks import (
    AddedWebhook,
    AddWebhookRequest,
    EditWebhookRequest,
    Webhook,
    WebhookList,
    WebhookQuery,
)
from palimpsest.model.clock import Clock
from palimpsest.model.errors import ConflictingDuplicate, PermanentError, RecordNotFound
from palimpsest.model.identifiers import derive_id
from palimpsest.model.value_types import Identifier
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.webhooks import KnownWebhook, WebhookStore
from services.console.command_responses import (
    CONFLICT_RESPONSE,
    NOT_FOUND_RESPONSE,
    IdempotencyKey,
    ResponseDescriptions,
)
from services.console.reminder_notifier import is_notification
from services.console.webhook_outbox import WebhookOutbox

SECRET_BYTES = 32

_NOT_FOUND: ResponseDescriptions = {404: NOT_FOUND_RESPONSE}
_Whose = Annotated[WebhookQuery, Query()]


class AddressNotAllowed(PermanentError):
    """The endpoint is not on the Internet, or does not use TLS."""

    reason = "address_not_allowed"


def build_router(webhooks: WebhookStore, outbox: WebhookOutbox, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])

    @router.post(
        "",
        openapi_extra=declare_permission(Permission.WRITE),
        responses={409: CONFLICT_RESPONSE},
    )
    async def add(
        whose: _Whose, request: AddWebhookRequest, idempotency_key: IdempotencyKey = None
    ) -> AddedWebhook:
        """Add an endpoint that is told of changes from now on, of one user or of all.

        Requests are signed as [Standard Webhooks](https://www.standardwebhooks.com) says. The
        secret is shown in this answer alone.
        """
        _require_allowed(request.url, outbox)
        key = idempotency_key or secrets.token_hex(16)
        now = clock()
        known = await webhooks.add(
            KnownWebhook(
                id=derive_id("webhook", whose.user_id, key),
                user_id=whose.user_id,
                secret=request.secret or _make_secret(),
                created_at=now,
                queued_through=now,
                **request.model_dump(exclude={"secret"}),
            )
        )
        _require_same(request, known)
        outbox.wake()
        return AddedWebhook(**known.shown.model_dump(), secret=known.secret)

    @router.get("", openapi_extra=declare_permission(Permission.READ))
    async def page(whose: _Whose) -> WebhookList:
        """List the webhooks of a user, or those of the deployment."""
        known = await webhooks.list()
        own = [
            webhook
            for webhook in known
            if webhook.user_id == whose.user_id and not is_notification(webhook)
        ]
        return WebhookList(webhooks=tuple(webhook.shown for webhook in own))

    @router.get(
        "/{webhook_id}", openapi_extra=declare_permission(Permission.READ), responses=_NOT_FOUND
    )
    async def one(webhook_id: Identifier, whose: _Whose) -> Webhook:
        """Return one webhook."""
        return (await find_webhook(webhooks, whose, webhook_id)).shown

    @router.patch(
        "/{webhook_id}", openapi_extra=declare_permission(Permission.WRITE), responses=_NOT_FOUND
    )
    async def edit(webhook_id: Identifier, whose: _Whose, request: EditWebhookRequest) -> Webhook:
        """Change a webhook, or switch it off and on. On again, it is told what it missed."""
        known = await find_webhook(webhooks, whose, webhook_id)
        if request.url is not None:
            _require_allowed(request.url, outbox)
        changes = {
            name: value
            for name, value in request.model_dump(exclude_unset=True).items()
            if value is not None or name == "types"
        }
        if request.enabled is not None:
            reason = None if request.enabled else "by_hand"
            changes |= {"disabled_reason": reason, "failing_since": None}
        after = known.model_copy(update=changes)
        await webhooks.write(after, changes)
        outbox.wake()
        return after.shown

    @router.delete(
        "/{webhook_id}",
        status_code=204,
        openapi_extra=declare_permission(Permission.WRITE),
        responses=_NOT_FOUND,
    )
    async def delete(webhook_id: Identifier, whose: _Whose) -> Response:
        """Delete a webhook with its deliveries; nothing is sent to it any more."""
        await webhooks.delete((await find_webhook(webhooks, whose, webhook_id)).id)
        return Response(status_code=204)

    return router


async def find_webhook(
    webhooks: WebhookStore, whose: WebhookQuery, webhook_id: str
) -> KnownWebhook:
    """Return the webhook of this id.

    Raises:
        RecordNotFound: this user, or the deployment, has none of this id.
    """
    for known in await webhooks.list():
        own = known.user_id == whose.user_id and not is_notification(known)
        if known.id == webhook_id and own:
            return known
    raise RecordNotFound("there is no such webhook of this user, or of the deployment")


def _require_same(request: AddWebhookRequest, known: KnownWebhook) -> None:
    """Check that the webhook under an idempotency key is the one that is asked for.

    Raises:
        ConflictingDuplicate: it is another one, or was changed since.
    """
    asked = request.model_dump(exclude=set() if request.secret else {"secret"})
    if any(getattr(known, name) != value for name, value in asked.items()):
        raise ConflictingDuplicate("this idempotency key was used for another webhook")


def _make_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}"


def _require_allowed(url: str, outbox: WebhookOutbox) -> None:
    """Check an address, as far as it shows; the rest is checked when connecting.

    Raises:
        AddressNotAllowed: it does not use TLS, or names an address that is not public.
    """
    if not outbox.allows(url):
        raise AddressNotAllowed(
            "an endpoint is spoken to by https and reached over the Internet; where private"
            " networks are meant, set PALIMPSEST_WEBHOOK_PRIVATE_ADDRESSES=true"
        )
