"""Session progress, written a moment later: once for all that a user says meanwhile."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from palimpsest_server.delivery.write_behind import BEHIND, WriteBehindBuffer
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress, SessionStore


class WriteBehindSessions:
    """A `SessionStore` whose numbers in the database are behind by a moment more.

    Here they are not: what waits is put upon what is read. What is lost with this process
    is found by the turns that it was about: behind what the session says was published,
    they stand as stored, and are taken in again; and whoever ends a session asks the turns
    how far it is. So only that waits, and what comes for the same session while it does;
    what chat services say of a session never.
    """

    def __init__(self, sessions: SessionStore, *, behind: timedelta = BEHIND) -> None:
        self._sessions = sessions
        self.late = WriteBehindBuffer[SessionKey, SessionProgress](self._write, behind=behind)

    async def of(self, keys: Sequence[SessionKey]) -> Mapping[SessionKey, Session]:
        # Asked before: what is written while the answer is on its way may not be in it.
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
    """Tell whether a chat service said this of the session, or somebody who asks for silence in it.

    Others than ingest go by the first; the second must not be lost with this process.
    """
    return step.started is not None or step.ended_through > 0 or step.asked_at > 0
