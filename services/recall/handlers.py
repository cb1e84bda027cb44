"""Recall over Kafka: translates an event into the same call as over HTTP, and its answer back."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.events.recall_exchange import (
    ContextReplied,
    ContextRequested,
    RecallReplied,
    RecallRequested,
)
from palimpsest.model.clock import Clock
from palimpsest.model.errors import InvalidEvent
from palimpsest.model.permissions import Permission
from palimpsest_server.delivery.memory_operations import MemoryOperation, describe_operation
from palimpsest_server.delivery.tracing import get_active_tracing
from palimpsest_server.runtime.access import AccessControl
from services.recall.context.build_context import ContextBuilder
from services.recall.recall import RecallHandler


class RecallRequestHandler:
    def __init__(
        self,
        recall_handler: RecallHandler,
        contexts: ContextBuilder,
        access: AccessControl,
        clock: Clock,
    ) -> None:
        self._access = access
        self._recall_handler = recall_handler
        self._contexts = contexts
        self._clock = clock

    async def __call__(
        self, asked: RecallRequested | ContextRequested, shown: str | None
    ) -> RecallReplied | ContextReplied:
        """Answer a request; an error that is raised here becomes a reply with that error.

        Raises:
            InvalidEvent: the event and its request name different users.
            Unauthenticated: keys are required, and the shown key is missing or unknown.
            PermissionMissing: the key may not read.
            RecordNotFound: the key is for another user or agent.
            TransientError: see `RecallHandler.recall` and `ContextBuilder.context`.
        """
        if asked.user_id != asked.request.user_id:
            raise InvalidEvent("user_id of the event and of its request differ")
        grant = await self._access.admit(shown)
        grant.require(
            Permission.READ, user_id=asked.request.user_id, agent_id=asked.request.agent_id
        )
        if isinstance(asked, ContextRequested):
            with _span("context", asked):
                context = await self._contexts.context(asked.request)
            return ContextReplied(**self._envelope("ContextReplied", asked), response=context)
        with _span("recall", asked):
            recalled = await self._recall_handler.recall(asked.request)
        return RecallReplied(**self._envelope("RecallReplied", asked), response=recalled)

    def _envelope(self, type_: str, asked: Event) -> dict[str, Any]:
        return {
            "event_id": derive_event_id(type_, asked.user_id, asked.event_id),
            "occurred_at": self._clock(),
            "user_id": asked.user_id,
            "agent_id": asked.agent_id,
            "project_id": asked.project_id,
            "session_id": asked.session_id,
            "trace": asked.trace,
        }


@contextmanager
def _span(name: str, asked: Event) -> Iterator[None]:
    tracing = get_active_tracing()
    if tracing is None:
        yield
        return
    with tracing.span(name, asked.trace, server=True) as span:
        span.describe(describe_operation(MemoryOperation.SEARCH))
        yield
