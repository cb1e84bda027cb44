"""The proxy: recalls memories into the prompt, passes the chat on, and keeps the exchange."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

import httpx
import structlog
from fastapi import Request, Response

from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import ClientError
from palimpsest.model.clock import Clock
from palimpsest.model.errors import CommandRefused
from palimpsest.model.permissions import Permission
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.runtime.http import get_request_grant
from palimpsest_server.runtime.http.scope_headers import (
    KEY_HEADER,
    is_incognito,
    read_scope_headers,
)
from services.console.chat_proxy.chat_dialects import ChatDialect
from services.console.chat_proxy.chat_request import ChatRequest
from services.console.chat_proxy.exchanges import ChatExchange, ExchangeKeeper
from services.console.chat_proxy.proxied_answer import AnswerRecord, ProxiedAnswer
from services.console.chat_proxy.upstream import Upstream, choose_encoding
from services.console.metrics import ConsoleMetrics

_log = structlog.get_logger("palimpsest.console.proxy")


class ServicesConnector(Protocol):
    """Opens clients of the services with the rights of a request's sender."""

    def __call__(self, request: Request) -> AbstractAsyncContextManager[PalimpsestClient]: ...


class ChatProxy:
    """Passes chats of one dialect on. If memory fails, the chat goes on without it."""

    def __init__(
        self,
        dialect: ChatDialect,
        upstream: Upstream | None,
        *,
        connect: ServicesConnector,
        keeper: ExchangeKeeper,
        metrics: ConsoleMetrics,
        clock: Clock,
        recall_seconds: float,
        is_guarded: bool,
    ) -> None:
        self._dialect = dialect
        self._upstream = upstream
        self._connect = connect
        self._keeper = keeper
        self._metrics = metrics
        self._clock = clock
        self._recall_seconds = recall_seconds
        self._is_guarded = is_guarded

    async def answer(self, request: Request) -> Response:
        """Return what passes the chat on when it is sent.

        Raises:
            CommandRefused: the settings name no upstream.
            PermissionMissing: the key may not write, or not read.
        """
        self._require_upstream()
        body, whose = await request.body(), read_scope_headers(request.headers)
        if is_incognito(request.headers):
            whose = None
        chat = None if whose is None else self._read(body, request)
        if whose is None or chat is None:
            self._count("without_memory" if whose is None else "unreadable")
            return ProxiedAnswer(lambda: self._call(request, body, readable=False), None)
        get_request_grant(request).require(
            Permission.WRITE, user_id=whose.user_id, agent_id=whose.agent_id
        )
        exchange = ChatExchange.of(whose, chat, self._clock())
        if block := await self._recall(request, exchange, chat):
            body = self._put(block, chat)
        record = AnswerRecord(self._dialect, exchange, self._keeper, lambda: self._connect(request))
        return ProxiedAnswer(lambda: self._call(request, body, readable=True), record)

    def list_models(self, request: Request) -> Response:
        """Return what passes the upstream's list of models on when it is sent.

        Raises:
            CommandRefused: the settings name no upstream.
        """
        self._require_upstream()
        return ProxiedAnswer(
            lambda: self._call(request, b"", readable=False, asks_for_models=True), None
        )

    def _require_upstream(self) -> None:
        if self._upstream is None:
            raise CommandRefused(
                f"no upstream is set: say where chats go by PALIMPSEST_PROXY_{self._dialect.name.upper()}_URL",
                reason="upstream_not_set",
            )

    def _read(self, body: bytes, request: Request) -> ChatRequest | None:
        """Return the chat; None if it cannot be read, so that the upstream reports the error."""
        if request.headers.get("content-encoding", "identity").lower() != "identity":
            return None
        try:
            chat = ChatRequest(body)
            # Read every message here that is used later, so that errors show now.
            _ = (chat.said, chat.question, chat.earlier, chat.opening_words)
        except (ValueError, TypeError, KeyError):
            return None
        return chat

    def _put(self, block: str, chat: ChatRequest) -> bytes:
        """Return the body with the block; as it was where its instructions cannot be read."""
        try:
            return self._dialect.add_instructions(chat, block)
        except (ValueError, TypeError, KeyError):
            return chat.body

    async def _recall(self, request: Request, exchange: ChatExchange, chat: ChatRequest) -> str:
        whose = exchange.whose
        fields: dict[str, Any] = {
            "user_id": whose.user_id,
            "agent_id": whose.agent_id,
            "project_id": whose.project_id,
            "session_id": exchange.session_id,
        }
        if chat.question:
            fields |= {"query": chat.question, "context": chat.earlier}
        try:
            async with asyncio.timeout(self._recall_seconds), self._connect(request) as client:
                block = (await client.context(**fields)).block
        except TimeoutError:
            self._count("recall_late")
            return ""
        except (ClientError, OSError) as error:
            self._count("recall_failed")
            _log.warning("a proxied chat went on without memory", **describe_failure(error))
            return ""
        self._count("recalled" if block else "nothing_known")
        return block

    @asynccontextmanager
    async def _call(
        self, request: Request, body: bytes, *, readable: bool, asks_for_models: bool = False
    ) -> AsyncIterator[httpx.Response]:
        assert self._upstream is not None  # noqa: S101 - asked for before
        accepted = request.headers.get("accept-encoding", "identity")
        response = await self._upstream.send(
            body,
            request.headers.raw,
            query=request.url.query,
            accept_encoding=choose_encoding(request.headers) if readable else accepted,
            shows_ours=self._is_guarded and KEY_HEADER not in request.headers,
            asks_for_models=asks_for_models,
        )
        try:
            yield response
        finally:
            await response.aclose()

    def _count(self, outcome: str) -> None:
        self._metrics.proxied_chats.labels(self._dialect.name, outcome).inc()
