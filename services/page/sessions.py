"""Sessions of signed-in visitors, kept in this process: the browser holds a random id alone.

A session holds a client with the visitor's key. The key never leaves the process, and a restart of the
process signs everybody out.
"""

import asyncio
import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.client import PalimpsestClient
from palimpsest.model.clock import Clock

SESSION_LIFE = timedelta(hours=12)
MAXIMUM_SESSIONS = 10_000
"""The most sessions of one process; the oldest ends when another begins."""


@dataclass(frozen=True, kw_only=True)
class VisitorSession:
    """A signed-in visitor: whose memories are shown, and the client that asks for them."""

    client: PalimpsestClient
    user_id: str
    agent_id: str | None = None
    """The only agent that the visitor's key opens; None for all agents of the user."""
    is_operator: bool = False
    """True if the visitor's key looks after the deployment."""
    time_zone: str = "UTC"
    """The user's time zone, in which moments are shown."""
    ends_at: datetime


class VisitorSessions:
    """Sessions by the hash of their id, the oldest first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sessions: dict[str, VisitorSession] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def begin(self, session: VisitorSession) -> str:
        """Store a session and return its new id, which nobody has seen before."""
        session_id = make_session_id()
        while len(self._sessions) >= MAXIMUM_SESSIONS:
            self._drop(next(iter(self._sessions)))
        self._sessions[_hash(session_id)] = session
        return session_id

    def find(self, session_id: str | None) -> VisitorSession | None:
        """Return the session of this id; None if there is none, or it is over."""
        if session_id is None:
            return None
        session = self._sessions.get(_hash(session_id))
        if session is not None and session.ends_at <= self._clock():
            self._drop(_hash(session_id))
            return None
        return session

    def replace(self, session_id: str, session: VisitorSession) -> None:
        """Put another session under an id that is in use."""
        if _hash(session_id) in self._sessions:
            self._sessions[_hash(session_id)] = session

    def end(self, session_id: str | None) -> None:
        """End a session; its key is forgotten."""
        if session_id is not None:
            self._drop(_hash(session_id))

    async def close(self) -> None:
        """End all sessions."""
        for hashed in list(self._sessions):
            self._drop(hashed)
        await asyncio.gather(*self._closing, return_exceptions=True)

    def _drop(self, hashed: str) -> None:
        session = self._sessions.pop(hashed, None)
        if session is None:
            return
        closing = asyncio.ensure_future(_close(session.client))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)


def make_session_id() -> str:
    return secrets.token_urlsafe(32)


def _hash(session_id: str) -> str:
    """Return the hash under which a session is kept: a lookup then tells nothing by its time."""
    return hashlib.sha256(session_id.encode()).hexdigest()


async def _close(client: PalimpsestClient) -> None:
    with suppress(Exception):
        await client.__aexit__(None, None, None)
