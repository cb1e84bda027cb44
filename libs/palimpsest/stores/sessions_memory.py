"""The in-memory twin of the sessions."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from palimpsest.stores.sessions import Session, SessionKey, SessionProgress


class MemorySessions:
    def __init__(self) -> None:
        self._sessions: dict[SessionKey, Session] = {}

    async def of(self, keys: Sequence[SessionKey]) -> Mapping[SessionKey, Session]:
        return {key: self._sessions.get(key) or Session.unknown(key) for key in keys}

    async def advance(self, progress: Sequence[SessionProgress]) -> None:
        for step in progress:
            session = self._sessions.get(step.key) or Session.unknown(step.key)
            changes: dict[str, Any] = {
                "last_sequence": max(session.last_sequence, step.last_sequence),
                "published_through": max(session.published_through, step.published_through),
                "windowed_through": max(session.windowed_through, step.windowed_through),
                "ended_through": max(session.ended_through, step.ended_through),
            }
            if step.idle_at is not None:
                changes["idle_at"] = max(session.idle_at or step.idle_at, step.idle_at)
            if step.started is not None:
                changes |= {
                    "topic": step.started.topic,
                    "participants": step.started.participants,
                    "agent_id": step.started.agent_id,
                    "project_id": step.started.project_id,
                }
            self._sessions[step.key] = session.model_copy(update=changes)

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
