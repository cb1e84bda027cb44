"""Calls that publish events: messages, requests to remember, and feedback on a recall."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from pydantic import ValidationError

from palimpsest.api.context import ContextResponse
from palimpsest.api.problems import build_validation_problem
from palimpsest.api.recall import RecallResponse, RecordType
from palimpsest.api.resources import EventResult, EventResults
from palimpsest.client.call_fields import FeedbackFields, RecallReferenceFields, RememberFields
from palimpsest.client.chat_completions import convert_chat_messages
from palimpsest.client.connections import ClientConnections
from palimpsest.client.errors import EventsRefused, InvalidRequest
from palimpsest.client.messages import Message, build_message_events
from palimpsest.client.request_validation import build_valid_request
from palimpsest.events.conversations import RememberRequested, SessionEnded
from palimpsest.events.envelope import Event
from palimpsest.events.event_ids import assign_event_id
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.model.clock import Clock
from palimpsest.model.feedback import FeedbackVerdict
from palimpsest.model.scope import Scope


class ConversationCalls:
    """Calls that publish one or several events; event ids are set before the first attempt."""

    _connections: ClientConnections
    _clock: Clock

    async def publish(self, events: Sequence[Event]) -> tuple[EventResult, ...]:
        """Publish events in this order; return one result for each, all of them accepted.

        Over Kafka a result means that Kafka has the event; over HTTP, that it is stored.

        Raises:
            EventsRefused: some were refused, such as a known id with another body.
            RequestTooLarge: one event is above the limit; nothing was sent.
            Unavailable: not all were taken in time. Publishing all again is safe.
        """
        if not events:
            return ()
        answer = await self._connections.conversations.publish(
            [assign_event_id(event) for event in events]
        )
        return _all_accepted(answer)

    async def save_conversation(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        user_id: str,
        session_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        occurred_at: datetime | None = None,
        ended: bool = False,
    ) -> tuple[EventResult, ...]:
        """Save messages in their order, and end the session if `ended` says so.

        A dict is read as chat completions have it: `{"role": "assistant", "content": "…"}`. Give
        only new messages: a message without `message_id` that is saved again at another time is
        another message. `occurred_at` is the time of messages that state none; None: now.

        Raises:
            InvalidRequest: with the place and the field at fault; the others as in `publish`.
        """
        scope = build_valid_request(
            Scope, user_id=user_id, agent_id=agent_id, project_id=project_id
        )
        moment = occurred_at or self._clock()
        said = convert_chat_messages(messages, session_id=session_id, occurred_at=moment)
        events: list[Event] = []
        try:
            events += build_message_events(
                said, scope=scope, session_id=session_id, occurred_at=moment
            )
        except ValidationError as error:
            raise InvalidRequest(build_validation_problem(error.errors())) from None
        if ended:
            events.append(self._session_ended(scope, session_id))
        return await self.publish(events)

    async def end_session(
        self,
        session_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
    ) -> None:
        """End a session, so that the rest of it is extracted now."""
        scope = build_valid_request(
            Scope, user_id=user_id, agent_id=agent_id, project_id=project_id
        )
        await self.publish([self._session_ended(scope, session_id)])

    async def remember(
        self,
        content: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        **details: Unpack[RememberFields],
    ) -> EventResult:
        """Remember this, as its author states it: active at once, nothing is asked.

        `details` are the other fields of `RememberRequested`: kind, summary,
        subject, attribute, value, importance, tags, entities, data, source.
        """
        event = build_valid_request(
            RememberRequested,
            **{"occurred_at": self._clock(), **details},
            content=content,
            user_id=user_id,
            agent_id=agent_id,
            project_id=project_id,
        )
        (result,) = await self.publish([event])
        return result

    async def feedback(
        self,
        verdict: FeedbackVerdict | str,
        *,
        user_id: str,
        memory_ids: Sequence[str] = (),
        recall: RecallResponse | None = None,
        recall_id: str | None = None,
        **details: Unpack[FeedbackFields],
    ) -> EventResult:
        """Rate what was recalled as helpful, wrong or outdated.

        With `memory_ids` these memories are rated. With `recall`, all memories that it returned
        are: each takes a share of the verdict, and none is hidden. `recall_id` alone rates
        everything that the recall returned, within some days. The same verdict about one recall
        counts once. `details` are other fields of `FeedbackGiven`, such as `agent_id` or
        `occurred_at`.

            await client.feedback("wrong", memory_ids=[result.id], user_id="ann") await
            client.feedback("helpful", recall=answer, user_id="ann")
        """
        returned = (
            [result.id for result in recall.results if result.record is RecordType.MEMORY]
            if recall
            else []
        )
        event = build_valid_request(
            FeedbackGiven,
            **{"occurred_at": self._clock(), **details},
            verdict=verdict,
            user_id=user_id,
            memory_ids=tuple(memory_ids) or tuple(returned),
            recall_id=recall.recall_id if recall else recall_id,
        )
        (result,) = await self.publish([event])
        return result

    async def used(
        self,
        recall: RecallResponse | ContextResponse,
        result_ids: Sequence[str],
        *,
        user_id: str,
        **details: Unpack[RecallReferenceFields],
    ) -> EventResult | None:
        """Report which results of a recall were used, such as those that a reply cites.

        Returns None if nothing was recalled. A repeated report counts once.

            await client.used(answer, [answer.results[0].id], user_id="ann")
        """
        if recall.recall_id is None:
            return None
        event = build_valid_request(
            RecallUsed,
            **{"occurred_at": self._clock(), **details},
            user_id=user_id,
            recall_id=recall.recall_id,
            result_ids=tuple(result_ids),
        )
        (result,) = await self.publish([event])
        return result

    def _session_ended(self, scope: Scope, session_id: str) -> SessionEnded:
        return build_valid_request(
            SessionEnded,
            occurred_at=self._clock(),
            session_id=session_id,
            **scope.model_dump(),
        )


def _all_accepted(answer: EventResults) -> tuple[EventResult, ...]:
    if any(result.status != 202 for result in answer.results):
        raise EventsRefused(answer)
    return answer.results
