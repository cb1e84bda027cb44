"""Publishes windows: stores the due windows of sessions and sends them to the extractor.

A window is stored, then published, then marked; then its session advances. A process that finds a
stored window where it would begin one publishes that window unless it is published, and goes on
behind it.
"""

from collections.abc import Awaitable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from palimpsest.events.extraction_requests import build_extraction_requested
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.clock import Clock
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserState
from palimpsest.model.window import Window, WindowTrigger
from palimpsest_language.time_zone_inference import apply_inferred_time_zone, infer_time_zone
from palimpsest_language.vocabulary.chit_chat import is_chit_chat
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.write_behind import WriteBehindBuffer
from palimpsest_server.domain.extraction_windows import OpenWindow, WindowPlanner, select_fresh
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress, SessionStore
from palimpsest_server.stores.windows import NewWindow, WindowStore
from services.ingest.concurrency import await_all
from services.ingest.ingest_stores import IngestStores
from services.ingest.metrics import IngestMetrics


@dataclass(frozen=True, kw_only=True)
class SessionToWindow:
    """A session in which windows may be due, and what closes its open window."""

    session: Session
    user: UserState
    endings: AbstractSet[int] = frozenset()
    """Numbers of turns behind which the session ended."""
    closing: WindowTrigger | None = None
    """Reason to close the open window now; None leaves an unfilled window open."""

    @property
    def open_window(self) -> OpenWindow:
        return OpenWindow(
            windowed_through=self.session.windowed_through,
            last_sequence=self.session.last_sequence,
            endings=self.endings,
            closing=self.closing,
        )

    @property
    def is_extraction_enabled(self) -> bool:
        return is_extraction_enabled(self.user, requested=self.closing is WindowTrigger.REQUESTED)

    def move_behind(self, sequence: int) -> "SessionToWindow":
        """Return the session, windowed up to this turn."""
        session = self.session.model_copy(update={"windowed_through": sequence})
        return replace(self, session=session)


@dataclass(frozen=True)
class _DueWindow:
    """A due window, with its turns and its context."""

    of: SessionToWindow
    window: Window
    turns: Sequence[Turn]

    @property
    def new(self) -> NewWindow:
        fresh = select_fresh(self.window, self.turns)
        understood = all(turn.understood for turn in fresh)
        return NewWindow(self.window, sendable=not (understood or is_chit_chat(fresh)))


class WindowPublisher:
    """Stores windows of sessions and publishes them to the extractor."""

    def __init__(
        self,
        stores: IngestStores,
        *,
        sessions: SessionStore,
        planner: WindowPlanner,
        publisher: Publisher,
        metrics: IngestMetrics,
        clock: Clock,
        marks: WriteBehindBuffer[str, datetime] | None = None,
    ) -> None:
        """`marks` buffers the marks of published windows; None writes them at once."""
        self._marks = marks
        self._turns = stores.turns
        self._windows = stores.windows
        self._sessions = sessions
        self._planner = planner
        self._publisher = publisher
        self._metrics = metrics
        self._clock = clock

    async def cut(self, sessions: Sequence[SessionToWindow]) -> None:
        """Store and publish all due windows of these sessions.

        A user without automatic extraction gets only the requested windows.
        """
        pending = [session for session in sessions if self._may_be_due(session)]
        while pending:
            reached = await self._cut_once(pending)
            pending = [
                behind
                for session_to_window in pending
                if session_to_window.session.key in reached
                and self._may_be_due(
                    behind := session_to_window.move_behind(reached[session_to_window.session.key])
                )
            ]

    async def publish_again(self, windows: Sequence[tuple[Window, UserState]]) -> None:
        """Publish stored windows again, as the same events."""
        sessions = await self._sessions.of([SessionKey.of(window) for window, _ in windows])
        due = [
            _DueWindow(
                SessionToWindow(session=sessions[SessionKey.of(window)], user=user), window, turns
            )
            for (window, user), turns in zip(
                windows,
                await await_all(*(self._read_window(window) for window, _ in windows)),
                strict=True,
            )
        ]
        await await_all(*await self._publish(due))

    def _may_be_due(self, session_to_window: SessionToWindow) -> bool:
        return session_to_window.is_extraction_enabled and self._planner.may_be_due(
            session_to_window.open_window
        )

    async def _cut_once(self, pending: Sequence[SessionToWindow]) -> Mapping[SessionKey, int]:
        """Take one step in each session; return how far sessions came that may have more windows."""
        read = await await_all(
            *(self._read_open_window(session_to_window.session) for session_to_window in pending)
        )
        due = [
            _DueWindow(session_to_window, window, turns)
            for session_to_window, turns in zip(pending, read, strict=True)
            for window in self._planner.plan(session_to_window.open_window, turns)
        ]
        stored = await self._windows.add([due_window.new for due_window in due], now=self._clock())
        for each in due[:stored]:
            self._metrics.window(each.window.trigger, "sent" if each.new.sendable else "chit_chat")
        to_publish = [due_window for due_window in due[:stored] if due_window.new.sendable]
        reached = {
            due_window.of.session.key: due_window.window.last_sequence
            for due_window in due[:stored]
        }
        if stored < len(due):
            refused = due[stored]
            standing = (await self._windows.standing([refused.window.id]))[refused.window.id]
            self._metrics.collision("window")
            reached[refused.of.session.key] = standing.item.last_sequence
            if standing.state is OutboxState.STORED:
                turns = await self._read_window(standing.item)
                to_publish.append(_DueWindow(refused.of, standing.item, turns))
        await await_all(
            *await self._publish(to_publish),
            self._sessions.advance(
                [SessionProgress(key=key, windowed_through=last) for key, last in reached.items()]
            ),
        )
        left = {
            due_window.of.session.key: due_window.of.session.windowed_through
            for due_window in due[stored:]
        }
        return left | reached

    async def _publish(self, due: Sequence[_DueWindow]) -> list[Awaitable[None]]:
        """Publish these windows; return awaitables that mark them as published."""
        if not due:
            return []
        events = {due_window.window.id: self._build_request(due_window) for due_window in due}
        empty = [window_id for window_id, event in events.items() if event is None]
        requests = [event for event in events.values() if event is not None]
        now = self._clock()
        await self._publisher.publish(EXTRACTIONS, requests)
        published = [request.window_id for request in requests]
        if self._marks is not None:
            # A window whose mark is lost is published again, and gets the same answer.
            self._marks.note(dict.fromkeys(published, now))
            published = []
        return [
            self._windows.mark(published, OutboxState.PUBLISHED, now=now),
            self._windows.mark(empty, OutboxState.DROPPED, now=now),
        ]

    def _build_request(self, due: _DueWindow) -> ExtractionRequested | None:
        """Build the extractor's request; None if every fresh turn is of an older epoch."""
        user, session = due.of.user, due.of.session
        alive = [turn for turn in due.turns if turn.epoch >= user.epoch]
        fresh = select_fresh(due.window, alive)
        if not fresh:
            return None
        context = self._planner.select_context(due.window, alive)
        return build_extraction_requested(
            due.window,
            fresh=fresh,
            context=context,
            participants=session.participants,
            project_id=session.project_id,
            topic=session.topic,
            settings=apply_inferred_time_zone(user.settings, infer_time_zone((*context, *fresh))),
        )

    async def _read_open_window(self, session: Session) -> Sequence[Turn]:
        """Read the turns that are in no window yet, and their context."""
        context = self._planner.context_messages
        return await self._turns.stretch(
            session.key,
            after=max(session.windowed_through - context, 0),
            limit=context + self._planner.turns_per_read,
        )

    async def _read_window(self, window: Window) -> Sequence[Turn]:
        """Read the turns of a stored window, and their context."""
        after = max(window.first_sequence - 1 - self._planner.context_messages, 0)
        return await self._turns.stretch(
            SessionKey.of(window), after=after, limit=window.last_sequence - after
        )


def build_window_marks(
    windows: WindowStore, *, delay: timedelta
) -> WriteBehindBuffer[str, datetime]:
    """Build the buffer of published windows: their ids with the time of publication."""

    async def write(published: Mapping[str, datetime]) -> None:
        await windows.mark(list(published), OutboxState.PUBLISHED, now=max(published.values()))

    return WriteBehindBuffer(write, behind=delay)


def is_extraction_enabled(user: UserState, *, requested: bool = False) -> bool:
    """Tell whether extraction is on for this user; `requested` tells whether somebody asked for it."""
    return user.settings.memory_enabled and (requested or user.settings.automatic_extraction)
