"""Cuts sessions into windows and sends them to the extractor, each exactly as it stands kept.

A window is kept, then published, and only then marked, and only then does the
session know how far it is windowed. Whoever finds a window standing where it wanted
to begin one takes that, publishes it if nobody has, and goes on behind it.
"""

from collections.abc import Awaitable, Iterator, Mapping, Sequence
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
from palimpsest_server.domain.extraction_windows import (
    cut_windows,
    maximum_window_messages,
    minimum_window_messages,
    take_context_before,
)
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress, SessionStore
from palimpsest_server.stores.windows import NewWindow, WindowStore
from services.ingest.concurrency import await_all
from services.ingest.ingest_stores import IngestStores
from services.ingest.metrics import IngestMetrics

_TURNS_AT_A_TIME = 256
"""Of one session, or as many as surely hold a window: what has piled up is done piece by piece."""


@dataclass(frozen=True, kw_only=True)
class SessionToWindow:
    session: Session
    user: UserState
    endings: AbstractSet[int] = frozenset()
    """Numbers of turns behind which it was ended."""
    closing: WindowTrigger | None = None
    """Take everything there is, for this reason."""


@dataclass(frozen=True)
class _Cut:
    """A window that is due, and what was read around it."""

    of: SessionToWindow
    window: Window
    turns: Sequence[Turn]

    @property
    def new(self) -> NewWindow:
        fresh = (turn for turn in self.turns if is_in_window(self.window, turn))
        return NewWindow(self.window, sendable=not is_chit_chat(fresh))


class WindowPublisher:
    def __init__(
        self,
        *,
        keeping: IngestStores,
        sessions: SessionStore,
        publisher: Publisher,
        metrics: IngestMetrics,
        clock: Clock,
        rounds: int,
        context_messages: int,
        published: WriteBehindBuffer[str, datetime] | None = None,
    ) -> None:
        """`published`: takes the marks of windows that Kafka took, to write them later."""
        self._published = published
        self._turns = keeping.turns
        self._windows = keeping.windows
        self._sessions = sessions
        self._publisher = publisher
        self._metrics = metrics
        self._clock = clock
        self._rounds = rounds
        self._context_messages = context_messages
        self._turns_at_a_time = max(_TURNS_AT_A_TIME, maximum_window_messages(rounds))

    async def cut(self, sessions: Sequence[SessionToWindow]) -> None:
        """Make and send the windows that are due in these sessions, all there are.

        A user without automatic extraction gets none but those asked for: the turns wait.
        """
        pending = [each for each in sessions if self._may_be_due(each)]
        while pending:
            reached = await self._cut_once(pending)
            pending = [
                behind
                for each in pending
                if each.session.key in reached
                and self._may_be_due(behind := _behind(each, reached[each.session.key]))
            ]

    async def send_again(self, windows: Sequence[tuple[Window, UserState]]) -> None:
        """Publish windows that are kept, once more, as the same events as before."""
        sessions = await self._sessions.of([SessionKey.of(window) for window, _ in windows])
        cuts = [
            _Cut(SessionToWindow(session=sessions[SessionKey.of(window)], user=user), window, turns)
            for (window, user), turns in zip(
                windows,
                await await_all(*(self._read_window(window) for window, _ in windows)),
                strict=True,
            )
        ]
        await await_all(*await self._sent(cuts))

    def _may_be_due(self, each: SessionToWindow) -> bool:
        through = each.session.windowed_through
        fresh = each.session.last_sequence - through
        closed = each.closing is not None or any(ending > through for ending in each.endings)
        return is_extraction_enabled(each.user, asked=each.closing is WindowTrigger.REQUESTED) and (
            fresh >= minimum_window_messages(self._rounds) or (closed and fresh > 0)
        )

    async def _cut_once(self, pending: Sequence[SessionToWindow]) -> Mapping[SessionKey, int]:
        """One step in each session; answers how far those came where there may be more."""
        read = await await_all(*(self._read(each.session) for each in pending))
        due = [
            one for each, turns in zip(pending, read, strict=True) for one in self._due(each, turns)
        ]
        kept = await self._windows.add([one.new for one in due], now=self._clock())
        for one in due[:kept]:
            self._metrics.window(one.window.trigger, "sent" if one.new.sendable else "chit_chat")
        to_send = [one for one in due[:kept] if one.new.sendable]
        reached = {one.of.session.key: one.window.last_sequence for one in due[:kept]}
        if kept < len(due):
            refused = due[kept]
            standing = (await self._windows.standing([refused.window.id]))[refused.window.id]
            self._metrics.collision("window")
            reached[refused.of.session.key] = standing.item.last_sequence
            if standing.state is OutboxState.STORED:
                turns = await self._read_window(standing.item)
                to_send.append(_Cut(refused.of, standing.item, turns))
        await await_all(
            *await self._sent(to_send),
            self._sessions.advance(
                [SessionProgress(key=key, windowed_through=last) for key, last in reached.items()]
            ),
        )
        unkept = {one.of.session.key: one.of.session.windowed_through for one in due[kept:]}
        return unkept | reached

    def _due(self, each: SessionToWindow, turns: Sequence[Turn]) -> Iterator[_Cut]:
        through = each.session.windowed_through
        fresh = [turn for turn in turns if (turn.sequence or 0) > through]
        more = len(fresh) >= self._turns_at_a_time
        for window, _ in cut_windows(
            fresh,
            rounds=self._rounds,
            endings=each.endings,
            closing=None if more else each.closing,
        ):
            yield _Cut(each, window, turns)

    async def _sent(self, cuts: Sequence[_Cut]) -> list[Awaitable[None]]:
        """Publish these. What is answered marks them as published, when it is awaited."""
        if not cuts:
            return []
        events = {each.window.id: self._event(each) for each in cuts}
        empty = [window_id for window_id, event in events.items() if event is None]
        full = [event for event in events.values() if event is not None]
        now = self._clock()
        await self._publisher.publish(EXTRACTIONS, full)
        sent = [each.window_id for each in full]
        if self._published is not None:
            # One that is lost has its window published again, and answered as it was.
            self._published.note(dict.fromkeys(sent, now))
            sent = []
        return [
            self._windows.mark(sent, OutboxState.PUBLISHED, now=now),
            self._windows.mark(empty, OutboxState.DROPPED, now=now),
        ]

    def _event(self, each: _Cut) -> ExtractionRequested | None:
        """None where everything in it belongs to an epoch that is over."""
        alive = [turn for turn in each.turns if turn.epoch >= each.of.user.epoch]
        fresh = [turn for turn in alive if is_in_window(each.window, turn)]
        if not fresh:
            return None
        earlier = [turn for turn in alive if (turn.sequence or 0) < each.window.first_sequence]
        context = take_context_before(earlier, messages=self._context_messages)
        return build_extraction_requested(
            each.window,
            fresh=fresh,
            context=context,
            participants=each.of.session.participants,
            project_id=each.of.session.project_id,
            settings=apply_inferred_time_zone(
                each.of.user.settings, infer_time_zone((*context, *fresh))
            ),
        )

    async def _read(self, session: Session) -> Sequence[Turn]:
        """Return what is fresh, and what came before it."""
        return await self._turns.stretch(
            session.key,
            after=max(session.windowed_through - self._context_messages, 0),
            limit=self._context_messages + self._turns_at_a_time,
        )

    async def _read_window(self, window: Window) -> Sequence[Turn]:
        after = max(window.first_sequence - 1 - self._context_messages, 0)
        return await self._turns.stretch(
            SessionKey.of(window), after=after, limit=window.last_sequence - after
        )


def build_window_marks(
    windows: WindowStore, *, delay: timedelta
) -> WriteBehindBuffer[str, datetime]:
    """Build the buffer of the ids of windows that Kafka took, and of when it took them."""

    async def write(published: Mapping[str, datetime]) -> None:
        await windows.mark(list(published), OutboxState.PUBLISHED, now=max(published.values()))

    return WriteBehindBuffer(write, behind=delay)


def is_extraction_enabled(user: UserState, *, asked: bool = False) -> bool:
    """Tell whether windows are made for this user at all; `asked` for, or by themselves."""
    return user.settings.memory_enabled and (asked or user.settings.automatic_extraction)


def is_in_window(window: Window, turn: Turn) -> bool:
    return window.first_sequence <= (turn.sequence or 0) <= window.last_sequence


def _behind(each: SessionToWindow, through: int) -> SessionToWindow:
    session = each.session.model_copy(update={"windowed_through": through})
    return replace(each, session=session)
