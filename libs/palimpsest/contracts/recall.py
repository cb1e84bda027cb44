"""Asking for memories: one request and one response, over HTTP and over Kafka alike."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from palimpsest.contracts.envelope import Event
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Evidence, Status
from palimpsest.domain.model import Identifier, Instant, UnitInterval, Value
from palimpsest.domain.scope import Layer, Scope


class Record(StrEnum):
    """What can be recalled."""

    MEMORY = "memory"
    TURN = "turn"
    SUMMARY = "summary"


RECALLED = frozenset({Record.MEMORY, Record.TURN})
"""Unless others are asked for. Of summaries many hold what their turns and memories say as well."""


class RecallRequest(Value):
    user_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None
    query: Annotated[str, StringConstraints(min_length=1, max_length=8192)]
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    records: frozenset[Record] = RECALLED
    layers: frozenset[Layer] | None = None
    kinds: frozenset[Kind] | None = None
    """Only memories of these kinds; leaves turns out."""
    as_of: Instant | None = None
    """What held at that moment, by what is known now, and was said until then; None: what holds."""
    explain: bool = False
    preview: bool = False
    """Look without it being counted as an access."""
    incognito: bool = False
    """Read nothing, record nothing."""

    @property
    def scope(self) -> Scope:
        return Scope(user_id=self.user_id, agent_id=self.agent_id, project_id=self.project_id)


class ScoreParts(Value):
    """What the score is made of, each part as it went into the sum."""

    dense: float = 0.0
    sparse: float = 0.0
    neighbours: float = 0.0
    speaker: float = 0.0
    length: float = 0.0
    cosine: float | None = None
    """The raw similarity of question and text."""


class Recalled(Value):
    """One memory, raw turn or summary of a session, with the evidence it rests on."""

    id: str
    record: Record
    content: str
    score: float
    parts: ScoreParts | None = None
    scope: Scope
    evidence: tuple[Evidence, ...]
    occurred_at: Instant
    speaker: str | None = None
    kind: Kind | None = None
    summary: str | None = None
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    importance: UnitInterval | None = None
    confidence: UnitInterval | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    status: Status | None = None
    version: int | None = None


class RecallResponse(Value):
    recall_id: str
    results: tuple[Recalled, ...]
    gated: bool = False
    """True when nothing was near enough to be worth returning."""
    memory_enabled: bool = True
    took_ms: float


class RecallRequested(Event):
    """A recall over Kafka. `occurred_at` is when it was asked, `deadline` when to give up."""

    type: Literal["RecallRequested"] = "RecallRequested"
    request: RecallRequest
    deadline: Instant | None = None


class ErrorReply(Value):
    """Why there is no answer: the same words as over HTTP."""

    status: int
    """The HTTP status that the same request would have got."""
    reason: str
    message: str


class RecallReplied(Event):
    type: Literal["RecallReplied"] = "RecallReplied"
    response: RecallResponse | None = None
    error: ErrorReply | None = None
