"""Protocols of a transport: the calls that every transport has, and those that only HTTP has."""

from collections.abc import AsyncIterator, Mapping, Sequence
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
    """Conversations in, memories out: over HTTP and over Kafka alike."""

    async def open(self) -> None:
        """Connect, as far as that is needed before the first call.

        Raises:
            Unavailable: there is nobody at the address.
        """
        ...

    async def close(self) -> None: ...

    async def publish(self, events: Sequence[Event]) -> EventResults:
        """Hand over events, all with ids, in this order; one result for each.

        Raises:
            RequestTooLarge: one of them is above the limit; nothing was sent.
            Unavailable: not all of them were taken; sending all again is safe.
        """
        ...

    async def recall(self, request: RecallRequest) -> RecallResponse: ...

    async def context(self, request: ContextRequest) -> ContextResponse: ...


class ConsoleTransport(Protocol):
    """Looking after memories and settings."""

    async def list(self, query: MemoryQuery) -> MemoryList: ...

    async def get(self, scope: Scope, memory_id: str) -> MemoryDetail: ...

    async def forget(self, scope: Scope, memory_id: str, reason: str | None) -> CommandResult: ...

    async def command(
        self,
        method: str,
        path: str,
        whose: BaseModel,
        body: BaseModel | None,
        answer: type[AnswerT],
    ) -> AnswerT:
        """Any command, under a key of its own; what its body leaves out is left out.

        `whose` becomes the parameters.
        """
        ...

    def lines(
        self,
        path: str,
        whose: BaseModel,
        *,
        headers: Mapping[str, str] | None = None,
        silence_seconds: float | None = None,
    ) -> AsyncIterator[bytes]:
        """An answer of many lines, each as it arrives.

        After `silence_seconds` without a byte the connection counts as lost.

        Raises:
            Unavailable: nobody answers, or the connection is lost in the middle.
        """
        ...

    async def settings(self, user_id: str) -> UserSettings: ...

    async def set_settings(self, user_id: str, update: SettingsUpdate) -> CommandResult: ...

    async def usage(self, query: UsageQuery) -> UserUsage: ...
