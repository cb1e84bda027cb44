"""Stores a batch: reads the stored state, plans, and writes new turns and requests.

A process may die between two writes. Then the batch comes again, and what was written is
recognised.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from palimpsest.model.errors import TransientError
from palimpsest.model.user import UserState
from palimpsest_server.stores.cached_sessions import CachedSessions
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress
from services.ingest.batch_keys import (
    collect_closed_sessions,
    collect_request_ids,
    collect_session_keys,
    collect_turn_ids,
)
from services.ingest.concurrency import await_all
from services.ingest.drop_rules import select_possibly_stored
from services.ingest.ingest_stores import IngestStores
from services.ingest.metrics import IngestMetrics
from services.ingest.plan_batch import BatchPlan, StoredBatchState, plan_batch
from services.ingest.receive_events import ConversationEvent

MAXIMUM_COLLISIONS = 20
"""The most attempts at one batch. Each collision means that another owner wrote first; this many
mean that something else is wrong.
"""


class BatchStore:
    """Stores the batches of one process."""

    def __init__(
        self,
        stores: IngestStores,
        sessions: CachedSessions,
        *,
        metrics: IngestMetrics,
        idle_after: timedelta,
    ) -> None:
        """`idle_after`: time without a turn after which a session counts as silent."""
        self._turns = stores.turns
        self._requests = stores.requests
        self._sessions = sessions
        self._metrics = metrics
        self._idle_after = idle_after

    async def store(
        self, events: Sequence[ConversationEvent], users: Mapping[str, UserState], now: datetime
    ) -> tuple[BatchPlan, Mapping[SessionKey, Session]]:
        """Plan these events and store what is new; return the plan and its sessions.

        Nearly all events are new, and a unique id tells if one is not. So only events that are
        probably stored are read first. If a write meets a stored event that was not read, the batch
        is planned again.

        Raises:
            TransientError: other owners of the sessions keep writing first.
        """
        keys = collect_session_keys(events)
        # Numbers of sessions are buffered, and a process that dies loses the last ones. That is
        # harmless for turns, but an end must not be placed before a turn.
        highest = await self._turns.last_sequences(collect_closed_sessions(events))
        possibly_stored: Sequence[ConversationEvent] = select_possibly_stored(events, users)
        for _ in range(MAXIMUM_COLLISIONS):
            with self._metrics.timed("read"):
                # Sessions before turns: a number that another owner gives in between is not below
                # ours, and leaves no gap.
                sessions = _advance_to(await self._sessions.of(keys), highest)
                standing = await self._read(possibly_stored, sessions, users)
            plan = plan_batch(events, standing, now=now)
            if await self._write(plan, now):
                return plan, sessions
            self._metrics.collision("sequence")
            self._sessions.forget(keys)
            possibly_stored = events
            highest = await self._turns.last_sequences(keys)
        raise TransientError("other owners of the same sessions keep being first")

    async def mark_sessions(self, plan: BatchPlan, asking: Sequence[SessionProgress]) -> None:
        """Store what the batch says about sessions: start, ends, roles, requests to forget.

        Args:
            plan: the plan of the batch.
            asking: sessions in which a user asks not to remember something.
        """
        started_or_ended = [
            SessionProgress(
                key=key,
                started=steps.started,
                ended_through=max(steps.endings, default=0),
                ended_at=steps.ended_at,
            )
            for key, steps in plan.sessions.items()
            if steps.started or steps.endings
        ]
        await self._sessions.advance([*started_or_ended, *asking, *plan.frames.progress])

    async def mark_published(self, plan: BatchPlan, now: datetime) -> None:
        """Mark the items that the plan has settled, and the progress of its sessions."""
        # Requests before sessions. The turns around an end tell its place, so an end must not come
        # again once those are marked.
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

    async def _read(
        self,
        events: Sequence[ConversationEvent],
        sessions: Mapping[SessionKey, Session],
        users: Mapping[str, UserState],
    ) -> StoredBatchState:
        turns, requests = await await_all(
            self._turns.standing(collect_turn_ids(events)),
            self._requests.standing(collect_request_ids(events)),
        )
        return StoredBatchState(
            turns=turns,
            requests=requests,
            last_sequences={key: session.last_sequence for key, session in sessions.items()},
            published_through={key: session.published_through for key, session in sessions.items()},
            ended_through={key: session.ended_through for key, session in sessions.items()},
            ended_at={key: session.ended_at for key, session in sessions.items()},
            projects={key: session.project_id for key, session in sessions.items()},
            in_fiction={key: session.is_in_fiction for key, session in sessions.items()},
            users=users,
        )

    async def _write(self, plan: BatchPlan, now: datetime) -> bool:
        """Write what is new. False where something was stored that was not read."""
        with self._metrics.timed("keep"):
            # Requests before turns. A turn names the end that it followed, and that end must be
            # stored if this process dies here.
            stood = await self._requests.accept(plan.new_requests, now=now)
            placed = await self._turns.place(plan.placements, now=now)
        return placed and not stood


def _advance_to(
    sessions: Mapping[SessionKey, Session], highest: Mapping[SessionKey, int]
) -> Mapping[SessionKey, Session]:
    """Return the sessions, each advanced to the highest number of its turns."""
    return {
        key: session.advanced(SessionProgress(key=key, last_sequence=highest.get(key, 0)))
        for key, session in sessions.items()
    }
