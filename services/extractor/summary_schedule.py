"""The schedule of summaries: at a session's end, after silence, on request, and again after failures.

Each window shows that its session went on, and a summary is due once the session is over. The
window itself tells that, or the mark of the end that ingest keeps, or the time since the last
message.
"""

import asyncio
from collections.abc import Iterable
from datetime import datetime, timedelta

import structlog

from palimpsest.events.extractor_requests import ExtractionRequested, SummaryRequested
from palimpsest.model.clock import Clock
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserSettings
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.stores.decided_erasures import ErasureStore
from palimpsest_server.stores.ledger import Ledger
from palimpsest_server.stores.sessions import Session, SessionKey
from palimpsest_server.stores.summary_needs import SummaryNeed, SummaryNeeds
from palimpsest_server.stores.user_states import UserStates
from services.extractor.session_transcript import SessionLookup

SUMMARY_INTERVAL = timedelta(seconds=2)

NEEDS_PER_LOOK = 256
"""The most sessions in a look, earliest due first."""

FIRST_RETRY_DELAY = timedelta(minutes=10)
"""Time until an abandoned summary is tried again; it doubles each time."""
MAXIMUM_SUMMARY_ATTEMPTS = 6
"""The most attempts, over about ten hours. The session's next message starts again."""

_log = structlog.get_logger("palimpsest.extractor")


class SummaryScheduler:
    def __init__(
        self,
        needs: SummaryNeeds,
        sessions: SessionLookup,
        ledger: Ledger,
        *,
        states: UserStates,
        erasures: ErasureStore,
        wake: asyncio.Event,
        clock: Clock,
        idle_after: timedelta,
    ) -> None:
        self._needs = needs
        self._sessions = sessions
        self._ledger = ledger
        self._states = states
        self._erasures = erasures
        self._wake = wake
        self._clock = clock
        self._idle_after = idle_after

    async def note(self, windows: Iterable[ExtractionRequested]) -> None:
        """Note that these sessions went on, and when their summaries are due."""
        now = self._clock()
        await self._needs.note(
            [
                build_summary_need(
                    window, due_at=now if window.trigger.ends_session else now + self._idle_after
                )
                for window in windows
            ]
        )

    async def again(self, given_up: SummaryRequested) -> None:
        """Schedule another attempt at a summary that was abandoned."""
        if given_up.attempt + 1 >= MAXIMUM_SUMMARY_ATTEMPTS:
            return
        wait = FIRST_RETRY_DELAY * 2**given_up.attempt
        await self._needs.note(
            [
                SummaryNeed(
                    id=SessionKey(given_up.user_id, given_up.session_id).id,
                    user_id=given_up.user_id,
                    session_id=given_up.session_id,
                    scope=given_up.scope,
                    through=given_up.through,
                    epoch=given_up.epoch or 0,
                    attempt=given_up.attempt + 1,
                    anew=given_up.anew,
                    due_at=self._clock() + wait,
                )
            ]
        )

    async def watch(self) -> None:
        """Request due summaries periodically, until cancelled."""
        await run_periodically(
            self.look,
            every=SUMMARY_INTERVAL,
            log=_log,
            failure="sessions could not be summed up",
        )

    async def look(self) -> int:
        """Request due summaries and return their number.

        While messages of a user are being erased no summary is requested for that user. The summary
        is made of what is left, so it need not be erased with it.
        """
        waiting = await self._needs.waiting(limit=NEEDS_PER_LOOK)
        if not waiting:
            return 0
        now = self._clock()
        unsettled = await self._erasures.unsettled({need.user_id for need in waiting})
        settled = [need for need in waiting if need.user_id not in unsettled]
        sessions = await self._sessions.of([need.key for need in settled])
        due = [need for need in settled if is_summary_due(need, sessions[need.key], now)]
        states = await self._states.of({need.user_id for need in due})
        asked = [
            build_summary_request(need, sessions[need.key], states[need.user_id].settings, now)
            for need in due
            if need.epoch >= states[need.user_id].epoch
        ]
        if await self._ledger.write_down(asked, now=now):
            self._wake.set()
        for need in due:
            await self._needs.met(need)
        return len(due)


def is_summary_due(need: SummaryNeed, session: Session, now: datetime) -> bool:
    """Return whether a summary is due: by time, or at the session's end before any failed attempt."""
    # The session may be stored later than its windows.
    last = max(session.last_sequence, need.through)
    ended = session.ended_through > 0 and session.ended_through >= last
    return need.due_at <= now or (ended and need.attempt == 0)


def build_summary_need(window: ExtractionRequested, *, due_at: datetime) -> SummaryNeed:
    return SummaryNeed(
        id=SessionKey(window.user_id, window.session_id).id,
        user_id=window.user_id,
        session_id=window.session_id,
        scope=Scope(user_id=window.user_id, agent_id=window.agent_id, project_id=window.project_id),
        through=max((turn.sequence or 0 for turn in window.fresh), default=0),
        epoch=window.epoch or 0,
        due_at=due_at,
    )


def build_summary_request(
    need: SummaryNeed, session: Session, settings: UserSettings, now: datetime
) -> SummaryRequested:
    """Build the request. The same messages make the same request, except in a later attempt."""
    # A session's end is stored at once, and its numbers may lag behind.
    through = max(need.through, session.last_sequence, session.ended_through)
    return SummaryRequested.about(
        need.scope,
        need.session_id,
        through=through,
        epoch=need.epoch,
        settings=settings,
        now=now,
        attempt=need.attempt,
        anew=need.anew,
    )
