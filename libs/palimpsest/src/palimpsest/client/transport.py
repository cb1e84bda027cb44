"""Protocols of transports: calls of every transport, and calls of HTTP alone."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Protocol, TypeVar

from pydantic import BaseModel

from palimpsest.api.context import ContextRequest, ContextResponse
from palimpsest.api.recall import RecallRequest, RecallResponse
from palimpsest.api.resources import (
    CommandResult,
    EventResults,
    MemoryDetail,
    MemoryList,
    MemoryQuery,
    SettingsUpdate,
    UsageQuery,
    UserUsage,
)
from palimpsest.events.envelope import Event
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserSettings

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class Transport(Protocol):
    """Publishes conversations and recalls memories, over HTTP or Kafka."""

    async def open(self) -> None:
        """Connect, if that is needed before the first call.

        Raises:
            Unavailable: nobody answers at the address.
        """
        ...

    async def close(self) -> None: ...

    async def publish(self, events: Sequence[Event]) -> EventResults:
        """Publish events, all with ids, in this order; return one result for each.

        Raises:
            RequestTooLarge: one event is above the limit; nothing was sent.
            Unavailable: not all events were taken; sending all again is safe.
        """
        ...

    async def recall(self, request: RecallRequest) -> RecallResponse: ...

    async def context(self, request: ContextRequest) -> ContextResponse: ...


class ConsoleTransport(Protocol):
    """Manages memories and settings."""

    async def list(self, query: MemoryQuery) -> MemoryList: ...

    async def get(self, scope: Scope, memory_id: str) -> MemoryDetail: ...

    async def forget(
        self,
        scope: Scope,
        memory_id: str,
        reason: str | None,
        *,
        idempotency_key: str | None = None,
    ) -> CommandResult: ...

    async def command(
        self,
        method: str,
        path: str,
        whose: BaseModel,
        body: BaseModel | None,
        answer: type[AnswerT],
        *,
        idempotency_key: str | None = None,
    ) -> AnswerT:
        """Send a command, under a new key unless one is given; unset fields are left out.

        `whose` becomes the query parameters.
        """
        ...

    async def send_once(
        self,
        method: str,
        path: str,
        answer: type[AnswerT],
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float,
    ) -> AnswerT:
        """Send a request whose format is not ours, without another attempt."""
        ...

    def lines(
        self,
        path: str,
        whose: BaseModel | None,
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        silence_seconds: float | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """Yield the lines of an answer, each as it arrives; with `content` that is sent by `POST`.

        After `silence_seconds` without a byte the connection counts as lost.

        Raises:
            Unavailable: nobody answers, or the connection was lost.
        """
        ...

    async def settings(self, user_id: str) -> UserSettings: ...

    async def set_settings(self, user_id: str, update: SettingsUpdate) -> CommandResult: ...

    async def usage(self, query: UsageQuery) -> UserUsage: ...
