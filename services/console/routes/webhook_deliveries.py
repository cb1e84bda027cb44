"""The ledger of what was sent to a webhook: looked at, repeated, and tried out."""

from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.webhooks import (
    DeliveryList,
    DeliveryQuery,
    ReplayRequest,
    ReplayResult,
    WebhookQuery,
    WebhookTest,
)
from palimpsest.model.clock import Clock
from palimpsest.model.value_types import Identifier
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.webhooks import WebhookStore
from services.console.command_responses import NOT_FOUND_RESPONSE, ResponseDescriptions
from services.console.routes.webhooks import find_webhook
from services.console.webhook_outbox import WebhookOutbox

_NOT_FOUND: ResponseDescriptions = {404: NOT_FOUND_RESPONSE}
_Whose = Annotated[WebhookQuery, Query()]


def build_router(webhooks: WebhookStore, outbox: WebhookOutbox, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/webhooks/{webhook_id}", tags=["webhooks"])

    @router.post(
        "/test",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=_NOT_FOUND,
    )
    async def test(webhook_id: Identifier, whose: _Whose) -> WebhookTest:
        """Send a signed event of the type `webhook.test` once, and return what came of it."""
        known = await find_webhook(webhooks, whose, webhook_id)
        attempt = await outbox.send_test(known)
        return WebhookTest(
            delivered=attempt.failure is None,
            response_status=attempt.status,
            failure=attempt.failure,
        )

    @router.get(
        "/deliveries",
        openapi_extra=declare_permission(Permission.READ),
        responses=_NOT_FOUND,
    )
    async def deliveries(
        webhook_id: Identifier, query: Annotated[DeliveryQuery, Query()]
    ) -> DeliveryList:
        """List what was sent to a webhook in the last thirty days and what waits, latest first."""
        known = await find_webhook(webhooks, query, webhook_id)
        found = await webhooks.deliveries(
            known.id, states=query.state, limit=query.limit + 1, after=query.cursor
        )
        shown = found[: query.limit]
        return DeliveryList(
            deliveries=tuple(shown),
            next_cursor=shown[-1].id if len(found) > len(shown) else None,
        )

    @router.post(
        "/replay",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=_NOT_FOUND,
    )
    async def replay(webhook_id: Identifier, whose: _Whose, request: ReplayRequest) -> ReplayResult:
        """Send deliveries again, or all that failed, under the same ids."""
        known = await find_webhook(webhooks, whose, webhook_id)
        count = await webhooks.replay(known.id, request.delivery_ids, now=clock())
        outbox.wake()
        return ReplayResult(replayed=count)

    return router
