"""The language in which a user writes, used if neither the settings nor the request name one."""

from collections.abc import Sequence
from typing import Protocol

from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest_server.stores.memories import MemoryReader
from palimpsest_server.stores.sessions import SessionReader
from palimpsest_server.stores.turns import TurnReader

SESSIONS, MESSAGES, MEMORIES = 3, 20, 20
"""Maximum numbers read: people seldom change their language, and a caller waits for this."""


class WrittenLanguages(Protocol):
    async def of(self, user_id: str) -> Language | None:
        """Return the language of the user's own words, else of the user's memories.

        None if there are none.
        """
        ...


class StoredWrittenLanguages:
    def __init__(self, sessions: SessionReader, turns: TurnReader, memories: MemoryReader) -> None:
        self._sessions = sessions
        self._turns = turns
        self._memories = memories

    async def of(self, user_id: str) -> Language | None:
        written = await self._said_by(user_id) or await self._remembered_of(user_id)
        return detect_language("\n".join(written)) if written else None

    async def _said_by(self, user_id: str) -> Sequence[str]:
        sessions = await self._sessions.of_user(user_id, limit=SESSIONS)
        latest = [await self._turns.latest(session.key, MESSAGES) for session in sessions]
        return [turn.text for turns in latest for turn in turns if turn.role is Role.USER]

    async def _remembered_of(self, user_id: str) -> Sequence[str]:
        memories = await self._memories.list(
            [Scope(user_id=user_id)],
            statuses=(Status.ACTIVE, Status.PENDING),
            limit=MEMORIES,
        )
        return [memory.content for memory in memories]
