"""Extracts on request: sends the open window of a session to the extractor now."""

import asyncio
from collections.abc import Sequence

from palimpsest.api.resources import ExtractionStarted, RequestedWindow
from palimpsest.events.envelope import derive_event_id
from palimpsest.model.change_set import change_set_id
from palimpsest.model.clock import Clock
from palimpsest.model.window import Window, WindowTrigger
from palimpsest_server.domain.extraction_windows import (
    WindowPlanner,
    maximum_window_messages,
    window_id,
)
from palimpsest_server.stores.outbox import OutboxEntry, OutboxState
from palimpsest_server.stores.sessions import SessionKey, SessionProgress
from palimpsest_server.stores.user_states import UserStates
from services.ingest.ingest_stores import IngestStores
from services.ingest.publish_windows import SessionToWindow, WindowPublisher

PATIENCE_SECONDS = 2.0
"""Seconds to wait for accepted turns that have not come back from Kafka yet."""

_POLL_SECONDS = 0.05

_TURNS_PER_READ = 1_000


class OnDemandExtraction:
    def __init__(
        self,
        stores: IngestStores,
        *,
        users: UserStates,
        windows: WindowPublisher,
        planner: WindowPlanner,
        clock: Clock,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """`patience_seconds`: how long to wait for accepted turns without a number."""
        self._turns = stores.turns
        self._stored_windows = stores.windows
        self._sessions = stores.sessions
        self._users = users
        self._windows = windows
        self._planner = planner
        self._clock = clock
        self._patience_seconds = patience_seconds

    async def extract(self, key: SessionKey) -> ExtractionStarted:
        """Send the session's open window, if there is one. A repeated request returns the same window.

        Raises:
            TransientError: Kafka is away. A window that is already stored is sent later.
        """
        on_their_way = await self._numbered(key)
        user = (await self._users.of([key.user_id]))[key.user_id]
        session = (await self._sessions.of([key]))[key]
        last = (await self._turns.last_sequences([key]))[key]
        before = session.windowed_through
        # The session is written behind its turns.
        session = session.advanced(SessionProgress(key=key, last_sequence=last))
        asked = SessionToWindow(session=session, user=user, closing=WindowTrigger.REQUESTED)
        await self._windows.cut([asked])
        after = (await self._sessions.of([key]))[key].windowed_through
        # For a repeated request the last window covers the same turns.
        since = before if after > before else after - maximum_window_messages(self._planner.rounds)
        windows = await self._windows_between(key, max(since, 0), after)
        if after <= before:
            windows = windows[-1:]
        return ExtractionStarted(
            session_id=key.session_id,
            turns=sum(window.turns for window in windows),
            on_their_way=on_their_way,
            windows=tuple(windows),
        )

    async def _numbered(self, key: SessionKey) -> int:
        """Wait until every accepted turn has a number; return how many still lack one."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience_seconds
        while count := await self._turns.count_unnumbered(key):
            if loop.time() >= until:
                return count
            await asyncio.sleep(_POLL_SECONDS)
        return 0

    async def _windows_between(
        self, key: SessionKey, after: int, through: int
    ) -> list[RequestedWindow]:
        """Return the windows that begin behind one turn and end by another, in order."""
        found: list[RequestedWindow] = []
        while after < through:
            turns = await self._turns.stretch(key, after=after, limit=_TURNS_PER_READ)
            if not turns:
                break
            # A window's id is derived from its first turn, which may be any of these.
            ids = [window_id(turn) for turn in turns]
            standing = await self._stored_windows.standing(ids)
            found += _in_order([entry for entry in standing.values() if _ends_by(entry, through)])
            after = turns[-1].sequence or through
        return found


def _ends_by(kept: OutboxEntry[Window], through: int) -> bool:
    return kept.item.last_sequence <= through


def _in_order(kept: Sequence[OutboxEntry[Window]]) -> list[RequestedWindow]:
    return [
        _requested(entry.item, sent=entry.state is not OutboxState.DROPPED)
        for entry in sorted(kept, key=lambda outbox_entry: outbox_entry.item.first_sequence)
    ]


def _requested(window: Window, *, sent: bool) -> RequestedWindow:
    event_id = derive_event_id("CandidatesProposed", window.user_id, window.id)
    return RequestedWindow(
        window_id=window.id,
        turns=window.last_sequence - window.first_sequence + 1,
        first_sequence=window.first_sequence,
        last_sequence=window.last_sequence,
        change_set_id=change_set_id(window.user_id, event_id) if sent else None,
    )
