"""Buffers the progress of sessions, and writes it once for several messages."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from palimpsest_server.delivery.write_behind import BEHIND, WriteBehindBuffer
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress, SessionStore


class WriteBehindSessions:
    """A `SessionStore` that buffers numbers of sessions for a moment.

    Reads through this store include the buffered numbers. If the process dies, the turns replace
    the lost numbers: turns behind the published number are still marked as stored and are taken in
    again, and whoever ends a session reads its highest number from the turns. Only such numbers are
    buffered, and other progress of the same session while they are. A chat service's statements on
    a session never are.
    """

    def __init__(self, sessions: SessionStore, *, behind: timedelta = BEHIND) -> None:
        self._sessions = sessions
        self.late = WriteBehindBuffer[SessionKey, SessionProgress](self._write, behind=behind)

    async def of(self, keys: Sequence[SessionKey]) -> Mapping[SessionKey, Session]:
        # Read the buffer first: a value written while the database answers may be missing from the
        # answer.
        waiting = self.late.waiting(keys)
        standing = dict(await self._sessions.of(keys))
        for key, step in waiting.items():
            standing[key] = standing[key].advanced(step)
        return standing

    async def advance(self, progress: Sequence[SessionProgress]) -> None:
        at_once: list[SessionProgress] = []
        for step in progress:
            waiting = self.late.waiting([step.key]).get(step.key)
            if _is_told(step) or not (step.published_through or waiting):
                at_once.append(step)
            else:
                self.late.note({step.key: step if waiting is None else waiting.then(step)})
        if at_once:
            await self._sessions.advance(at_once)

    async def idle(self, *, now: datetime, limit: int) -> Sequence[Session]:
        await self.late.flush()
        return await self._sessions.idle(now=now, limit=limit)

    async def settle_idle(self, session: Session, *, until: datetime | None) -> None:
        await self._sessions.settle_idle(session, until=until)

    async def _write(self, steps: Mapping[SessionKey, SessionProgress]) -> None:
        await self._sessions.advance(list(steps.values()))


def _is_told(step: SessionProgress) -> bool:
    """Tell whether the step is a chat service's statement on the session, or a request to forget.

    Other services read the statements. A request must not be lost with this process.
    """
    return step.started is not None or step.ended_through > 0 or step.asked_at > 0
