"""Recall over Kafka: an event translated into the same call as over HTTP, and its answer back."""

from palimpsest.contracts.context import ContextReplied, ContextRequested
from palimpsest.contracts.envelope import derived_event_id
from palimpsest.contracts.recall import RecallReplied, RecallRequested
from palimpsest.delivery.tracing import active
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import InvalidEvent
from services.recall.contexts import Contexts
from services.recall.recalling import Recalling


class Answering:
    def __init__(self, recalling: Recalling, contexts: Contexts, clock: Clock) -> None:
        self._recalling = recalling
        self._contexts = contexts
        self._clock = clock

    async def __call__(
        self, asked: RecallRequested | ContextRequested
    ) -> RecallReplied | ContextReplied:
        """The answer. What is raised here becomes a reply with the error in it.

        Raises:
            InvalidEvent: the event speaks of another user than its request.
            TransientError: see `Recalling.recall` and `Contexts.context`.
        """
        if asked.user_id != asked.request.user_id:
            raise InvalidEvent("user_id of the event and of its request differ")
        if isinstance(asked, ContextRequested):
            return await self._context(asked)
        tracing = active()
        if tracing is None:
            response = await self._recalling.recall(asked.request)
        else:
            with tracing.span("recall", asked.trace, server=True):
                response = await self._recalling.recall(asked.request)
        return RecallReplied(
            event_id=derived_event_id("RecallReplied", asked.user_id, asked.event_id),
            occurred_at=self._clock(),
            user_id=asked.user_id,
            agent_id=asked.agent_id,
            project_id=asked.project_id,
            session_id=asked.session_id,
            trace=asked.trace,
            response=response,
        )

    async def _context(self, asked: ContextRequested) -> ContextReplied:
        tracing = active()
        if tracing is None:
            response = await self._contexts.context(asked.request)
        else:
            with tracing.span("context", asked.trace, server=True):
                response = await self._contexts.context(asked.request)
        return ContextReplied(
            event_id=derived_event_id("ContextReplied", asked.user_id, asked.event_id),
            occurred_at=self._clock(),
            user_id=asked.user_id,
            agent_id=asked.agent_id,
            project_id=asked.project_id,
            session_id=asked.session_id,
            trace=asked.trace,
            response=response,
        )
