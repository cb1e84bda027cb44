"""The progress of each conversation.

The numbers here may lag behind the truth, and are never ahead of it. The turns themselves tell
which turns exist, and the windows tell which turns are windowed. Session progress saves reading
those. A write based on an outdated number is refused there, and its caller reads again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol, Self

from palimpsest.events.conversations import SessionStarted
from palimpsest.model.identifiers import derive_id
from palimpsest.model.value_types import Identifier, Instant, Value


class SessionReference(Protocol):
    """Anything that names a user and a session."""

    @property
    def user_id(self) -> str: ...

    @property
    def session_id(self) -> str: ...


class SessionKey(NamedTuple):
    user_id: str
    session_id: str

    @classmethod
    def of(cls, thing: SessionReference) -> Self:
        return cls(thing.user_id, thing.session_id)

    @property
    def id(self) -> str:
        return derive_id("session", self.user_id, self.session_id)


class Session(Value):
    id: str
    user_id: Identifier
    session_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None
    topic: str | None = None
    participants: tuple[str, ...] = ()
    last_sequence: int = 0
    """A taken sequence number, usually the highest."""
    published_through: int = 0
    """Kafka took the results of all turns up to this number, so the turns need no mark of their own."""
    windowed_through: int = 0
    """Sequence number of a window's end, usually the last window's."""
    ended_through: int = 0
    """Last turn before the session's latest end; more turns may have followed."""
    ended_at: Instant | None = None
    """When the latest end was received."""
    asked_at: int = 0
    """Last turn that asks not to have something remembered."""
    fiction_opened_at: int = 0
    """Last turn after which people speak in roles."""
    fiction_ended_at: int = 0
    """Last turn after which people speak as themselves again."""
    idle_at: Instant | None = None
    """When the session will have been silent for long enough; None once that was acted on."""

    @classmethod
    def unknown(cls, key: SessionKey) -> Self:
        """Return a session of which nothing is stored yet."""
        return cls(id=key.id, user_id=key.user_id, session_id=key.session_id)

    @property
    def key(self) -> SessionKey:
        return SessionKey(self.user_id, self.session_id)

    @property
    def is_in_fiction(self) -> bool:
        return self.fiction_opened_at > self.fiction_ended_at

    def advanced(self, step: "SessionProgress") -> "Session":
        """Return the session after this step."""
        changes: dict[str, Any] = {
            "last_sequence": max(self.last_sequence, step.last_sequence),
            "published_through": max(self.published_through, step.published_through),
            "windowed_through": max(self.windowed_through, step.windowed_through),
            "ended_through": max(self.ended_through, step.ended_through),
            "asked_at": max(self.asked_at, step.asked_at),
            "fiction_opened_at": max(self.fiction_opened_at, step.fiction_opened_at),
            "fiction_ended_at": max(self.fiction_ended_at, step.fiction_ended_at),
        }
        if step.idle_at is not None:
            changes["idle_at"] = max(self.idle_at or step.idle_at, step.idle_at)
        if step.ended_at is not None:
            changes["ended_at"] = max(self.ended_at or step.ended_at, step.ended_at)
        if step.started is not None:
            changes |= {
                "topic": step.started.topic,
                "participants": step.started.participants,
                "agent_id": step.started.agent_id,
                "project_id": step.started.project_id,
            }
        return self.model_copy(update=changes)


@dataclass(frozen=True, kw_only=True)
class SessionProgress:
    """A step in the progress of a session; its numbers and times only rise."""

    key: SessionKey
    started: SessionStarted | None = None
    last_sequence: int = 0
    published_through: int = 0
    windowed_through: int = 0
    ended_through: int = 0
    asked_at: int = 0
    fiction_opened_at: int = 0
    fiction_ended_at: int = 0
    idle_at: datetime | None = None
    ended_at: datetime | None = None

    def then(self, later: "SessionProgress") -> "SessionProgress":
        """Return both steps as one."""
        return SessionProgress(
            key=self.key,
            started=later.started or self.started,
            last_sequence=max(self.last_sequence, later.last_sequence),
            published_through=max(self.published_through, later.published_through),
            windowed_through=max(self.windowed_through, later.windowed_through),
            ended_through=max(self.ended_through, later.ended_through),
            asked_at=max(self.asked_at, later.asked_at),
            fiction_opened_at=max(self.fiction_opened_at, later.fiction_opened_at),
            fiction_ended_at=max(self.fiction_ended_at, later.fiction_ended_at),
            idle_at=_latest(self.idle_at, later.idle_at),
            ended_at=_latest(self.ended_at, later.ended_at),
        )


def _latest(*moments: datetime | None) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)


class SessionReader(Protocol):
    async def of_user(self, user_id: str, *, limit: int) -> Sequence[Session]:
        """Return at most `limit` sessions of this user, in no order."""
        ...


class SessionStore(Protocol):
    async def of(self, keys: Sequence[SessionKey]) -> Mapping[SessionKey, Session]:
        """Return the progress of these sessions; every session is present in the answer."""
        ...

    async def advance(self, progress: Sequence[SessionProgress]) -> None: ...

    async def idle(self, *, now: datetime, limit: int) -> Sequence[Session]:
        """Return sessions that are silent for long enough, longest silent first."""
        ...

    async def settle_idle(self, session: Session, *, until: datetime | None) -> None:
        """Set the session's next silence to `until`, or to none, unless it has spoken since it was read."""
        ...
