"""Takes batches of `conversations` in: kept, numbered, withheld, sent on, windowed, marked; in this order.

Whatever dies between two of these steps, the batch comes again, and what was
done already is recognised by what stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.events.envelope import Event
from palimpsest.events.topics import CANDIDATES
from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.user import UserState
from palimpsest.model.window import WindowTrigger
from palimpsest_language.redaction.policy import DEFAULT_POLICY, PrivacyPolicy
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.cached_sessions import CachedSessions
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress
from palimpsest_server.stores.user_states import UserStates
from services.ingest.batch_keys import (
    collect_closed_sessions,
    collect_request_ids,
    collect_session_keys,
    collect_turn_ids,
)
from services.ingest.batch_plan import BatchPlan, SessionBatchState, StoredBatchState, plan_batch
from services.ingest.concurrency import await_all, iterate_with_pauses
from services.ingest.drop_rules import select_possibly_stored
from services.ingest.event_size import count_text_characters
from services.ingest.ingest_stores import IngestStores
from services.ingest.metrics import IngestMetrics
from services.ingest.prepare_events import ConversationEvent, prepare_event_off_loop
from services.ingest.publish_windows import SessionToWindow, WindowPublisher
from services.ingest.withhold_turns import (
    TurnWithholder,
    apply_withholding,
    find_withholding_requests,
)

MAXIMUM_COLLISIONS = 20
"""Each means that another owner got on; so many in a row mean that something else is wrong."""

KAFKA_INTAKE_LABEL = "kafka"


@dataclass(frozen=True)
class ReceivedEvent:
    """An event as it came, which is what a rejection names, and as it is dealt with."""

    original: Event
    event: ConversationEvent


class IngestPipeline:
    """The one path of what chat services say, behind the consumer of `conversations`."""

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        keeping: IngestStores,
        sessions: CachedSessions,
        users: UserStates,
        publisher: Publisher,
        windowing: WindowPublisher,
        metrics: IngestMetrics,
        clock: Clock,
        idle_after: timedelta,
        privacy: PrivacyPolicy = DEFAULT_POLICY,
    ) -> None:
        self._turns = keeping.turns
        self._withholding = TurnWithholder(keeping.turns)
        self._requests = keeping.requests
        self._sessions = sessions
        self._users = users
        self._publisher = publisher
        self._windowing = windowing
        self._metrics = metrics
        self._clock = clock
        self._idle_after = idle_after
        self._privacy = privacy

    async def take(self, events: Sequence[ConversationEvent]) -> Sequence[EventRejection]:
        """Take the whole batch in, or raise an error, after which the batch comes again."""
        batch, rejections = await self._prepared(events)
        if not batch:
            return rejections
        now = self._clock()
        with self._metrics.timed("users"):
            users = await self._users.of({arrival.event.user_id for arrival in batch})
        plan, sessions = await self._keep(batch, users, now)
        # Before anything follows from them, windows neither.
        withheld = await self._withholding.among(plan.said, sessions)
        with self._metrics.timed("send"):
            await await_all(
                self._publisher.publish(CANDIDATES, apply_withholding(plan.candidates, withheld)),
                self._sessions.advance([*_marks(plan), *find_withholding_requests(plan.said)]),
            )
        with self._metrics.timed("window"):
            await self._windowing.cut(
                [
                    SessionToWindow(
                        session=_advanced(sessions[key], steps),
                        user=users[key.user_id],
                        endings=steps.endings | {sessions[key].ended_through},
                        closing=WindowTrigger.SKILL if steps.succeeded else None,
                    )
                    for key, steps in plan.sessions.items()
                    if steps.spoke or steps.endings or steps.succeeded
                ]
            )
        with self._metrics.timed("finish"):
            await self._finish(plan, now)
        for event_type, outcome in plan.outcomes:
            self._metrics.event(KAFKA_INTAKE_LABEL, event_type, outcome)
        return [
            *rejections,
            *(
                EventRejection(batch[position].original, error)
                for position, error in plan.conflicts
            ),
        ]

    async def _prepared(
        self, events: Sequence[ConversationEvent]
    ) -> tuple[Sequence[ReceivedEvent], list[EventRejection]]:
        batch: list[ReceivedEvent] = []
        rejections: list[EventRejection] = []
        async for event in iterate_with_pauses(events, count_text_characters):
            try:
                ready, kinds = await prepare_event_off_loop(event, self._privacy)
            except PermanentError as error:
                self._metrics.event(KAFKA_INTAKE_LABEL, event.type, "invalid")
                rejections.append(EventRejection(event, error))
            else:
                self._metrics.redacted(kinds)
                batch.append(ReceivedEvent(event, ready))
        return batch, rejections

    async def _keep(
        self, batch: Sequence[ReceivedEvent], users: Mapping[str, UserState], now: datetime
    ) -> tuple[BatchPlan, Mapping[SessionKey, Session]]:
        """Decide and keep; where something stands that was not looked up, decide anew from it.

        Nearly all that comes is new, and a unique id tells when it is not: so only what was
        likely kept before is looked up first.

        Raises:
            TransientError: others keep being first.
        """
        events = [arrival.event for arrival in batch]
        keys = collect_session_keys(events)
        # The numbers of sessions trail behind, and what was not written yet is lost with a
        # process: harmless for what is said, but an end must not come in front of it.
        highest = await self._turns.last_sequences(collect_closed_sessions(events))
        looked_up: Sequence[ConversationEvent] = select_possibly_stored(events, users)
        for _ in range(MAXIMUM_COLLISIONS):
            with self._metrics.timed("read"):
                # The numbers before the turns: what another owner numbers in between takes a
                # number that is not below ours, and cannot leave a gap behind itself.
                sessions = _reaching(await self._sessions.of(keys), highest)
                standing = await self._standing(looked_up, sessions, users)
            plan = plan_batch(events, standing, now=now)
            if await self._kept(plan, now):
                return plan, sessions
            self._metrics.collision("sequence")
            self._sessions.forget(keys)
            looked_up = events
            highest = await self._turns.last_sequences(keys)
        raise TransientError("other owners of the same sessions keep being first")

    async def _standing(
        self,
        looked_up: Sequence[ConversationEvent],
        sessions: Mapping[SessionKey, Session],
        users: Mapping[str, UserState],
    ) -> StoredBatchState:
        turns, requests = await await_all(
            self._turns.standing(collect_turn_ids(looked_up)),
            self._requests.standing(collect_request_ids(looked_up)),
        )
        return StoredBatchState(
            turns=turns,
            requests=requests,
            last_sequences={key: one.last_sequence for key, one in sessions.items()},
            published_through={key: one.published_through for key, one in sessions.items()},
            users=users,
        )

    async def _kept(self, plan: BatchPlan, now: datetime) -> bool:
        """False where something stood already that was not looked up."""
        with self._metrics.timed("keep"):
            # In this order: a turn says behind which end it came, and an end that a turn
            # speaks of is kept, should this process die here.
            stood = await self._requests.accept(plan.new_requests, now=now)
            placed = await self._turns.place(plan.placements, now=now)
        return placed and not stood

    async def _finish(self, plan: BatchPlan, now: datetime) -> None:
        # Requests first: where a session ended is told by the turns around it,
        # so an end must not come again when those are done with.
        await await_all(
            self._requests.mark(plan.confirmed_requests, OutboxState.CONFIRMED, now=now),
            self._requests.mark(plan.dropped_requests, OutboxState.DROPPED, now=now),
            self._turns.mark(plan.dropped_turns, OutboxState.DROPPED, now=now),
        )
        await self._sessions.advance(
            [
                SessionProgress(
                    key=key,
                    last_sequence=steps.last_sequence,
                    published_through=steps.published_through,
                    idle_at=now + self._idle_after if steps.spoke else None,
                )
                for key, steps in plan.sessions.items()
                if steps.last_sequence
            ]
        )


def _reaching(
    sessions: Mapping[SessionKey, Session], highest: Mapping[SessionKey, int]
) -> Mapping[SessionKey, Session]:
    """These sessions, none of them behind the numbers its turns are known to have."""
    return {
        key: session.advanced(SessionProgress(key=key, last_sequence=highest.get(key, 0)))
        for key, session in sessions.items()
    }


def _marks(plan: BatchPlan) -> list[SessionProgress]:
    """Return what sessions were told about themselves: who takes part, and that they ended."""
    return [
        SessionProgress(key=key, started=steps.started, ended_through=max(steps.endings, default=0))
        for key, steps in plan.sessions.items()
        if steps.started or steps.endings
    ]


def _advanced(session: Session, steps: SessionBatchState) -> Session:
    """The session as it stands once this batch is in."""
    started = steps.started
    return session.model_copy(
        update={
            "last_sequence": max(session.last_sequence, steps.last_sequence),
            "participants": started.participants if started else session.participants,
            "project_id": started.project_id if started else session.project_id,
        }
    )
