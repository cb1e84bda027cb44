"""Calls that manage webhooks, over HTTP: `client.webhooks`."""

from collections.abc import Collection
from typing import Any, TypeVar

from pydantic import BaseModel

from palimpsest.api.change_events import ChangeEventType
from palimpsest.api.webhooks import (
    AddedWebhook,
    AddWebhookRequest,
    DeliveryList,
    DeliveryQuery,
    DeliveryState,
    EditWebhookRequest,
    ReplayRequest,
    ReplayResult,
    Webhook,
    WebhookList,
    WebhookQuery,
    WebhookTest,
)
from palimpsest.client.connections import ClientConnections
from palimpsest.client.request_validation import build_valid_request, encode_path_id
from palimpsest.model.value_types import Value

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class NoAnswer(Value):
    """An answer with an empty body."""


class WebhookCalls:
    """Calls on the webhooks of one user, or of the deployment without `user_id`."""

    def __init__(self, connections: ClientConnections) -> None:
        self._connections = connections

    async def add(
        self,
        url: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        types: Collection[ChangeEventType | str] | None = None,
        content: bool = False,
        description: str = "",
        secret: str | None = None,
    ) -> AddedWebhook:
        """Add an endpoint that receives changes from now on; only this answer holds its secret."""
        request = build_valid_request(
            AddWebhookRequest,
            url=url,
            agent_id=agent_id,
            types=types,
            content=content,
            description=description,
            secret=secret,
        )
        return await self._ask("POST", "", user_id, AddedWebhook, request)

    async def list(self, *, user_id: str | None = None) -> WebhookList:
        """List the webhooks, the oldest first."""
        return await self._ask("GET", "", user_id, WebhookList)

    async def edit(self, webhook_id: str, *, user_id: str | None = None, **changes: Any) -> Webhook:
        """Change a webhook; `changes` are fields of `EditWebhookRequest`, such as `enabled`."""
        request = build_valid_request(EditWebhookRequest, **changes)
        return await self._ask("PATCH", _path(webhook_id), user_id, Webhook, request)

    async def delete(self, webhook_id: str, *, user_id: str | None = None) -> None:
        """Delete a webhook with its deliveries."""
        await self._ask("DELETE", _path(webhook_id), user_id, NoAnswer)

    async def test(self, webhook_id: str, *, user_id: str | None = None) -> WebhookTest:
        """Send one test event to the endpoint, and return the outcome."""
        return await self._ask("POST", f"{_path(webhook_id)}/test", user_id, WebhookTest)

    async def deliveries(
        self,
        webhook_id: str,
        *,
        user_id: str | None = None,
        state: Collection[DeliveryState | str] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> DeliveryList:
        """List deliveries of the last thirty days and waiting ones, latest first."""
        query = build_valid_request(
            DeliveryQuery, user_id=user_id, state=state, limit=limit, cursor=cursor
        )
        path = f"/v1/webhooks{_path(webhook_id)}/deliveries"
        return await self._connections.console.command("GET", path, query, None, DeliveryList)

    async def replay(
        self, webhook_id: str, delivery_ids: Collection[str] = (), *, user_id: str | None = None
    ) -> ReplayResult:
        """Send these deliveries again, or all that failed, under the same ids."""
        request = build_valid_request(ReplayRequest, delivery_ids=tuple(delivery_ids))
        path = f"{_path(webhook_id)}/replay"
        return await self._ask("POST", path, user_id, ReplayResult, request)

    async def _ask(
        self,
        method: str,
        path: str,
        user_id: str | None,
        answer: type[AnswerT],
        request: BaseModel | None = None,
    ) -> AnswerT:
        whose = build_valid_request(WebhookQuery, user_id=user_id)
        return await self._connections.console.command(
            method, f"/v1/webhooks{path}", whose, request, answer
        )


def _path(webhook_id: str) -> str:
    return f"/{encode_path_id(webhook_id)}"
