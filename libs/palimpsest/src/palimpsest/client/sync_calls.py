"""Blocking calls about chats, keys, operations, questions, sessions and webhooks."""

from typing import TYPE_CHECKING, Any

from palimpsest.api.webhooks import Webhook
from palimpsest.client.access_keys import AccessKeyCalls
from palimpsest.client.background_loop import run_blocking
from palimpsest.client.blocking_calls import make_blocking, make_iterating
from palimpsest.client.chats import ChatCalls
from palimpsest.client.operations import OperationCalls
from palimpsest.client.sessions import SessionCalls
from palimpsest.client.standing_questions import QuestionCalls
from palimpsest.client.webhooks import WebhookCalls

if TYPE_CHECKING:
    from palimpsest.client.sync_client import SyncPalimpsestClient


class SyncAccessKeyCalls:
    """`AccessKeyCalls` for blocking code."""

    def __init__(self, client: "SyncPalimpsestClient") -> None:
        self._client = client

    def connect(self) -> AccessKeyCalls:
        return self._client.connect().keys

    create = make_blocking(AccessKeyCalls.create)
    create_token = make_blocking(AccessKeyCalls.create_token)
    list = make_blocking(AccessKeyCalls.list)
    revoke = make_blocking(AccessKeyCalls.revoke)
    rotate = make_blocking(AccessKeyCalls.rotate)


class SyncChatCalls:
    """`ChatCalls` for blocking code."""

    def __init__(self, client: "SyncPalimpsestClient") -> None:
        self._client = client

    def connect(self) -> ChatCalls:
        return self._client.connect().chats

    answer = make_blocking(ChatCalls.answer)
    stream = make_iterating(ChatCalls.stream)
    models = make_blocking(ChatCalls.models)


class SyncOperationCalls:
    """`OperationCalls` for blocking code."""

    def __init__(self, client: "SyncPalimpsestClient") -> None:
        self._client = client

    def connect(self) -> OperationCalls:
        return self._client.connect().operations

    backlog = make_blocking(OperationCalls.backlog)
    dead_letters = make_blocking(OperationCalls.dead_letters)
    namespaces = make_blocking(OperationCalls.namespaces)
    replay_dead_letters = make_blocking(OperationCalls.replay_dead_letters)


class SyncQuestionCalls:
    """`QuestionCalls` for blocking code."""

    def __init__(self, client: "SyncPalimpsestClient") -> None:
        self._client = client

    def connect(self) -> QuestionCalls:
        return self._client.connect().questions

    add = make_blocking(QuestionCalls.add)
    delete = make_blocking(QuestionCalls.delete)
    get = make_blocking(QuestionCalls.get)
    list = make_blocking(QuestionCalls.list)
    watch = make_iterating(QuestionCalls.watch)


class SyncSessionCalls:
    """`SessionCalls` for blocking code."""

    def __init__(self, client: "SyncPalimpsestClient") -> None:
        self._client = client

    def connect(self) -> SessionCalls:
        return self._client.connect().sessions

    changes = make_blocking(SessionCalls.changes)
    list = make_blocking(SessionCalls.list)
    message = make_blocking(SessionCalls.message)
    messages = make_blocking(SessionCalls.messages)
    summary = make_blocking(SessionCalls.summary)
    undo = make_blocking(SessionCalls.undo)


class SyncWebhookCalls:
    """`WebhookCalls` for blocking code."""

    def __init__(self, client: "SyncPalimpsestClient") -> None:
        self._client = client

    def connect(self) -> WebhookCalls:
        return self._client.connect().webhooks

    add = make_blocking(WebhookCalls.add)

    def edit(self, webhook_id: str, *, user_id: str | None = None, **changes: Any) -> Webhook:
        """Change what an endpoint is told, and where it is."""
        return run_blocking(self.connect().edit(webhook_id, user_id=user_id, **changes))

    delete = make_blocking(WebhookCalls.delete)
    deliveries = make_blocking(WebhookCalls.deliveries)
    list = make_blocking(WebhookCalls.list)
    replay = make_blocking(WebhookCalls.replay)
    test = make_blocking(WebhookCalls.test)
