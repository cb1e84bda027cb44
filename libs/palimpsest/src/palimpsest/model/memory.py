"""A memory, its states, and the moves between them that are allowed."""

from enum import StrEnum
from typing import Any, TypeVar

from pydantic import Field

from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import Kind, Lifetime
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest.model.value_types import Identifier, Instant, UnitInterval, Value


class Status(StrEnum):
    PENDING = "pending"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"
    REJECTED = "rejected"
    PURGED = "purged"


ALLOWED_TRANSITIONS: dict[Status, frozenset[Status]] = {
    Status.PENDING: frozenset(
        {
            Status.ACTIVE,
            Status.SUPERSEDED,
            Status.ARCHIVED,
            Status.REJECTED,
            Status.FORGOTTEN,
            Status.PURGED,
        }
    ),
    Status.ACTIVE: frozenset(
        {
            Status.PENDING,
            Status.SUPERSEDED,
            Status.ARCHIVED,
            Status.FORGOTTEN,
            Status.REJECTED,
            Status.PURGED,
        }
    ),
    Status.SUPERSEDED: frozenset(
        {
            Status.PENDING,
            Status.ACTIVE,
            Status.ARCHIVED,
            Status.FORGOTTEN,
            Status.REJECTED,
            Status.PURGED,
        }
    ),
    Status.ARCHIVED: frozenset(
        {Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.FORGOTTEN, Status.PURGED}
    ),
    Status.FORGOTTEN: frozenset(
        {Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED, Status.PURGED}
    ),
    Status.REJECTED: frozenset({Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.PURGED}),
    Status.PURGED: frozenset(),
}
"""Every move but the last one has its way back, or it could not be undone.

What waited or was rejected may be outdated by the time it is confirmed or
restored: then it is superseded at once, and undoing that makes it what it was.
"""


class MemorySource(StrEnum):
    """How a memory came to be."""

    DISCUSSION = "discussion"
    USER_INPUT = "user_input"
    DATA_ANALYSIS = "data_analysis"
    FEEDBACK = "feedback"
    CONSOLIDATION = "consolidation"
    SKILL = "skill"
    IMPORT = "import"
    FILE = "file"
    REFLECTION = "reflection"


class RelationType(StrEnum):
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    REFINES = "refines"
    DERIVED_FROM = "derived_from"


class Relation(Value):
    type: RelationType
    memory_id: str
    strength: UnitInterval = 0.5


class Evidence(Value):
    """What a memory rests on: the words, and where they were said or written."""

    quote: str
    said_by: Role | None = None
    session_id: Identifier | None = None
    message_id: Identifier | None = None
    origin: str = "message"
    """`message`, `picture`, `command`, `skill`, `file`, `import` or `data`."""
    images: tuple[str, ...] = ()
    """Where the pictures and videos are that belong to these words."""
    said_at: Instant | None = None
    """When these words were said or written, where that is known."""
    valid_from: Instant | None = None
    """From when on what these words state holds; the consolidator fills this and the next two,
    so that a memory can be taken apart again into the statements that it is made of."""
    received_at: Instant | None = None
    confidence: UnitInterval | None = None
    """What these words alone are worth."""
    news: bool = False
    """Whether they told of a change that was not long past; the consolidator fills this too."""
    position: int = 0
    """Of what rests on them among what was proposed together: of one moment, the later one holds."""


class MemoryStatement(Value):
    """One of the statements that a memory is made of, where it said more or other than the memory.

    Evidence of the same two first fields is its evidence.
    """

    valid_from: Instant
    position: int
    kind: Kind
    content: str
    summary: str
    value: str | None
    data: dict[str, Any]
    importance: UnitInterval
    lifetime: Lifetime
    source: MemorySource
    said_by: Role | None
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    language: Language | None
    occurred_at: Instant


class MemoryCorrection(Value):
    """That somebody set right what a memory said."""

    at: Instant
    """When that was."""
    value: str | None = None
    """What it said before, where it says something else since."""
    turn_ids: tuple[str, ...] = ()
    """The messages that it rested on until then."""
    session_ids: tuple[str, ...] = ()
    """The sessions in which these were said."""


class Accesses(Value):
    """Counters beside the memory: they change no version."""

    count: int = 0
    last_at: Instant | None = None


class Candidate(Value):
    """What was proposed as a memory, before the consolidator has decided anything."""

    id: str
    """Derived from the cause and the position in it."""
    scope: Scope
    kind: Kind
    content: str
    summary: str
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    ended: bool = False
    """It says that this value no longer holds, from `valid_from` on."""
    data: dict[str, Any] = Field(default_factory=dict)
    importance: UnitInterval
    confidence: UnitInterval
    lifetime: Lifetime
    source: MemorySource
    said_by: Role | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    language: Language | None = None
    occurred_at: Instant
    valid_from: Instant
    valid_until: Instant | None = None
    evidence: tuple[Evidence, ...]
    confirmed: bool = False
    """Its author stated it as a memory: active at once, whatever the review setting."""

    @property
    def embedded_text(self) -> str:
        return embedded_text(self.summary, self.content)


class Memory(Value):
    id: str
    scope: Scope
    kind: Kind
    content: str
    summary: str
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    ended: bool = False
    """It says that this value no longer holds, from `valid_from` on."""
    data: dict[str, Any] = Field(default_factory=dict)
    importance: UnitInterval
    confidence: UnitInterval
    source: MemorySource
    said_by: Role | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    language: Language | None = None
    occurred_at: Instant
    recorded_at: Instant
    valid_from: Instant
    valid_until: Instant | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    relations: tuple[Relation, ...] = ()
    status: Status
    status_reason: str | None = None
    lifetime: Lifetime
    pinned: bool = False
    expires_at: Instant | None = None
    faded_at: Instant | None = None
    """When its importance was last lowered because it was not used."""
    evidence: tuple[Evidence, ...]
    statements: tuple[MemoryStatement, ...] = ()
    """What it is made of, where that said other than it says itself."""
    corrections: tuple[MemoryCorrection, ...] = ()
    """What it said and rested on until somebody wrote something else, the oldest first."""
    epoch: int
    version: int = 1
    """Rises by one with every change; what a write expects before it is made."""

    @property
    def embedded_text(self) -> str:
        return embedded_text(self.summary, self.content)

    @property
    def corrected(self) -> tuple[str, ...]:
        """The ids of the turns that say what somebody has set right since."""
        return tuple(sorted({each for one in self.corrections for each in one.turn_ids}))

    def valid_at(self, moment: Instant) -> bool:
        """Whether the memory holds at this moment: from is inclusive, until is not."""
        return self.valid_from <= moment and (self.valid_until is None or moment < self.valid_until)


def memory_id(user_id: str, candidate_id: str) -> str:
    """The id of the memory that a candidate becomes.

    The user is part of it: event ids are given by clients, and two users' may be equal.
    """
    return derive_id("memory", user_id, candidate_id)


def embedded_text(summary: str, content: str) -> str:
    """What is embedded: summary and content, said once where they are the same."""
    return content if content.startswith(summary.rstrip("…")) else f"{summary}\n{content}"


HELD_STATUSES = frozenset({Status.ACTIVE, Status.SUPERSEDED})
"""What holds, and what held once. All else was never so, or is not to be shown."""


MemoryOrCandidateT = TypeVar("MemoryOrCandidateT", Memory, Candidate)


class MemoryAtVersion(Value):
    """A memory at the version that is spoken of."""

    memory_id: str
    version: int
