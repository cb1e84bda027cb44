"""Closes idle sessions: sends the open window of a session that was silent for long enough."""

from collections.abc import Sequence
from datetime import timedelta

from palimpsest.model.clock import Clock
from palimpsest.model.window import WindowTrigger
from palimpsest_server.stores.sessions import Session, SessionStore
from palimpsest_server.stores.user_states import UserStates
from services.ingest.publish_windows import SessionToWindow, WindowPublisher, is_extraction_enabled

SESSIONS_PER_PAGE = 32
"""Sessions that are windowed at a time: `DatabaseLimit.ONE_COMMAND_AT_A_TIME`."""


class IdleSessionCloser:
    def __init__(
        self,
        sessions: SessionStore,
        *,
        users: UserStates,
        windows: WindowPublisher,
        clock: Clock,
        idle_after: timedelta,
    ) -> None:
        """Make a closer.

        Args:
            sessions: the stored sessions, without a buffer.
            users: the users' states.
            windows: cuts the windows.
            clock: tells the time.
            idle_after: time after which a session without extraction is checked again.
        """
        self._sessions = sessions
        self._users = users
        self._windows = windows
        self._clock = clock
        self._idle_after = idle_after

    async def close(self) -> None:
        """Close every session that is idle now."""
        page: Sequence[Session] | None = None
        while page is None or len(page) == SESSIONS_PER_PAGE:
            now = self._clock()
            page = await self._sessions.idle(now=now, limit=SESSIONS_PER_PAGE)
            users = await self._users.of({session.user_id for session in page})
            await self._windows.cut(
                [
                    SessionToWindow(
                        session=session, user=users[session.user_id], closing=WindowTrigger.IDLE
                    )
                    for session in page
                ]
            )
            for session in page:
                # The user may switch extraction on later; the session must be due then.
                waits = not is_extraction_enabled(users[session.user_id])
                until = now + self._idle_after if waits else None
                await self._sessions.settle_idle(session, until=until)
