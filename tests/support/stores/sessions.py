"""The in-memory twin of the sessions."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress


class InMemorySessions:
    def __init__(self) -> None:
        self._sessions: dict[SessionKey, Session] = {}

    async def of(self, keys: Sequence[SessionKey]) -> Mapping[SessionKey, Session]:
        return {key: self._sessions.get(key) or Session.unknown(key) for key in keys}

    async def of_user(self, user_id: str, *, limit: int) -> Sequence[Session]:
        sessions = [session for key, session in self._sessions.items() if key.user_id == user_id]
        return sessions[:limit]

    async def advance(self, progress: Sequence[SessionProgress]) -> None:
        for step in progress:
            session = self._sessions.get(step.key) or Session.unknown(step.key)
            self._sessions[step.key] = session.advanced(step)

    async def idle(self, *, now: datetime, limit: int) -> Sequence[Session]:
        silent = [
            (session.idle_at, session.id, session)
            for session in self._sessions.values()
            if session.idle_at is not None and session.idle_at <= now
        ]
        return [session for _, _, session in sorted(silent, key=lambda each: each[:2])[:limit]]

    async def settle_idle(self, session: Session, *, until: datetime | None) -> None:
        standing = self._sessions.get(session.key)
        if standing is not None and standing.idle_at == session.idle_at:
            self._sessions[session.key] = standing.model_copy(update={"idle_at": until})
