"""Pipeline of a batch of `conversations`: redact, plan and store, withhold, publish, cut windows, mark.

If a process dies between two steps the batch comes again, and each step recognises what it has
done.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palimpsest.events.envelope import Event
from palimpsest.events.topics import CANDIDATES
from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError
from palimpsest.model.user import UserState
from palimpsest_language.redaction.policy import DEFAULT_POLICY, PrivacyPolicy
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.sessions import Session, SessionKey
from palimpsest_server.stores.user_states import UserStates
from services.ingest.concurrency import await_all, iterate_with_pauses
from services.ingest.event_size import count_text_characters
from services.ingest.metrics import IngestMetrics
from services.ingest.plan_batch import BatchPlan, SessionBatchState
from services.ingest.publish_windows import SessionToWindow, WindowPublisher
from services.ingest.receive_events import ConversationEvent
from services.ingest.redact_events import redact_event_off_loop
from services.ingest.store_batch import BatchStore
from services.ingest.withhold_turns import (
    TurnWithholder,
    apply_withholding,
    find_withholding_requests,
)

KAFKA_INTAKE_LABEL = "kafka"


@dataclass(frozen=True)
class ReceivedEvent:
    """An event as it came, which a rejection names, and as it was redacted."""

    original: Event
    event: ConversationEvent


class IngestPipeline:
    """The only path of conversations, behind the consumer of their topic."""

    def __init__(
        self,
        *,
        batches: BatchStore,
        users: UserStates,
        withholding: TurnWithholder,
        publisher: Publisher,
        windows: WindowPublisher,
        metrics: IngestMetrics,
        clock: Clock,
        privacy: PrivacyPolicy = DEFAULT_POLICY,
    ) -> None:
        self._batches = batches
        self._users = users
        self._withholding = withholding
        self._publisher = publisher
        self._windows = windows
        self._metrics = metrics
        self._clock = clock
        self._privacy = privacy

    async def take(self, events: Sequence[ConversationEvent]) -> Sequence[EventRejection]:
        """Take in a batch. After an error is raised, the same batch comes again.

        Returns:
            The events that can never be taken in, each with its error.
        """
        batch, rejections = await self._redact(events)
        if not batch:
            return rejections
        now = self._clock()
        with self._metrics.timed("users"):
            users = await self._users.of({received.event.user_id for received in batch})
        plan, sessions = await self._batches.store(
            [received_event.event for received_event in batch], users, now
        )
        # Before any consequence of the turns, windows included.
        withheld = await self._withholding.among(plan.said, sessions)
        with self._metrics.timed("send"):
            await await_all(
                self._publisher.publish(CANDIDATES, apply_withholding(plan.candidates, withheld)),
                self._batches.mark_sessions(plan, find_withholding_requests(plan.said)),
            )
        with self._metrics.timed("window"):
            await self._windows.cut(_sessions_to_window(plan, sessions, users))
        with self._metrics.timed("finish"):
            await self._batches.mark_published(plan, now)
        for event_type, outcome in plan.outcomes:
            self._metrics.event(KAFKA_INTAKE_LABEL, event_type, outcome)
        conflicts = (
            EventRejection(batch[position].original, error) for position, error in plan.conflicts
        )
        return [*rejections, *conflicts]

    async def _redact(
        self, events: Sequence[ConversationEvent]
    ) -> tuple[Sequence[ReceivedEvent], list[EventRejection]]:
        batch: list[ReceivedEvent] = []
        rejections: list[EventRejection] = []
        async for event in iterate_with_pauses(events, count_text_characters):
            try:
                redacted, kinds = await redact_event_off_loop(event, self._privacy)
            except PermanentError as error:
                self._metrics.event(KAFKA_INTAKE_LABEL, event.type, "invalid")
                rejections.append(EventRejection(event, error))
            else:
                self._metrics.redacted(kinds)
                batch.append(ReceivedEvent(event, redacted))
        return batch, rejections


def _sessions_to_window(
    plan: BatchPlan, sessions: Mapping[SessionKey, Session], users: Mapping[str, UserState]
) -> list[SessionToWindow]:
    return [
        SessionToWindow(
            session=_advance(sessions[key], steps),
            user=users[key.user_id],
            endings=steps.endings | {sessions[key].ended_through},
            closing=steps.closing,
        )
        for key, steps in plan.sessions.items()
        if steps.spoke or steps.endings or steps.closing
    ]


def _advance(session: Session, steps: SessionBatchState) -> Session:
    """Return the session as it is after this batch."""
    started = steps.started
    return session.model_copy(
        update={
            "last_sequence": max(session.last_sequence, steps.last_sequence),
            "participants": started.participants if started else session.participants,
            "project_id": started.project_id if started else session.project_id,
            "topic": started.topic if started else session.topic,
        }
    )
