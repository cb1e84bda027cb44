"""Extraction on request: what waits in a session's open window goes to the extractor now."""

import asyncio
from collections.abc import Sequence

from palimpsest.api.resources import ExtractionStarted, RequestedWindow
from palimpsest.events.envelope import derive_event_id
from palimpsest.model.change_set import change_set_id
from palimpsest.model.clock import Clock
from palimpsest.model.window import Window, WindowTrigger
from palimpsest_server.domain.extraction_windows import maximum_window_messages, window_id
from palimpsest_server.stores.outbox import OutboxEntry, OutboxState
from palimpsest_server.stores.sessions import SessionKey, SessionProgress, SessionStore
from palimpsest_server.stores.user_states import UserStates
from services.ingest.ingest_stores import IngestStores
from services.ingest.publish_windows import SessionToWindow, WindowPublisher

PATIENCE_SECONDS = 2.0
"""For what was accepted just now and has not come back from Kafka yet."""

_LOOKING_AGAIN_SECONDS = 0.05

_TURNS_AT_ONCE = 1_000


class OnDemandExtraction:
    def __init__(
        self,
        *,
        keeping: IngestStores,
        sessions: SessionStore,
        users: UserStates,
        windowing: WindowPublisher,
        clock: Clock,
        rounds: int,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """`sessions` are read as they stand, not as somebody remembers them."""
        self._turns = keeping.turns
        self._windows = keeping.windows
        self._sessions = sessions
        self._users = users
        self._windowing = windowing
        self._clock = clock
        self._rounds = rounds
        self._patience_seconds = patience_seconds

    async def extract(self, key: SessionKey) -> ExtractionStarted:
        """Send the session's open window, if there is one; asked for again, it is that one again.

        Raises:
            TransientError: Kafka is away. What is kept by then is sent later all the same.
        """
        on_their_way = await self._numbered(key)
        user = (await self._users.of([key.user_id]))[key.user_id]
        session = (await self._sessions.of([key]))[key]
        last = (await self._turns.last_sequences([key]))[key]
        before = session.windowed_through
        # What the session says of itself may be behind its turns.
        session = session.advanced(SessionProgress(key=key, last_sequence=last))
        asked = SessionToWindow(session=session, user=user, closing=WindowTrigger.REQUESTED)
        await self._windowing.cut([asked])
        after = (await self._sessions.of([key]))[key].windowed_through
        # Asked for again, it is the last one that answers for the same turns.
        since = before if after > before else after - maximum_window_messages(self._rounds)
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
        """Wait until what was accepted has its place; how many have none all the same."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience_seconds
        while count := await self._turns.count_unnumbered(key):
            if loop.time() >= until:
                return count
            await asyncio.sleep(_LOOKING_AGAIN_SECONDS)
        return 0

    async def _windows_between(
        self, key: SessionKey, after: int, through: int
    ) -> list[RequestedWindow]:
        """Return those that begin behind one number and end at another, in order."""
        found: list[RequestedWindow] = []
        while after < through:
            turns = await self._turns.stretch(key, after=after, limit=_TURNS_AT_ONCE)
            if not turns:
                break
            # A window is named after its first turn, whichever that is.
            ids = [window_id(turn) for turn in turns]
            standing = await self._windows.standing(ids)
            found += _in_order([each for each in standing.values() if _ends_by(each, through)])
            after = turns[-1].sequence or through
        return found


def _ends_by(kept: OutboxEntry[Window], through: int) -> bool:
    return kept.item.last_sequence <= through


def _in_order(kept: Sequence[OutboxEntry[Window]]) -> list[RequestedWindow]:
    return [
        _requested(each.item, sent=each.state is not OutboxState.DROPPED)
        for each in sorted(kept, key=lambda each: each.item.first_sequence)
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
