"""Recall over HTTP and over Kafka alike: the request, the response, and the trace of a recall."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.model.entity import EntityKind
from palimpsest.model.kinds import Kind, KindByName
from palimpsest.model.memory import Accesses, RecalledFields, RelationType, Status
from palimpsest.model.memory_times import StatedTime
from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.scope import Layer
from palimpsest.model.turn import Role
from palimpsest.model.value_types import Count, Identifier, Instant, UnitInterval, Value

ContextMessage = Annotated[str, StringConstraints(min_length=1, max_length=8192)]


class RecordType(StrEnum):
    """Types of records that recall returns."""

    MEMORY = "memory"
    TURN = "turn"
    SUMMARY = "summary"


DEFAULT_RECORD_TYPES = frozenset({RecordType.MEMORY, RecordType.TURN})
"""Unless others are asked for. Of summaries many hold what their turns and memories say as well."""


class RecallDetail(StrEnum):
    """Optional parts of a response, beside its results."""

    EXPLANATION = "explanation"
    """The parts of each score, and the reason why other records were excluded."""
    HISTORY = "history"
    """The memories that each result replaced; superseded memories fill the room that is left."""
    GRAPH = "graph"
    """The memories that each result is related to, and those that name the same."""
    ACCESSES = "accesses"
    """How many recalls returned each memory before, and when the last one did."""


class RecallRequest(ScopedRequest):
    query: Annotated[str, StringConstraints(min_length=1, max_length=8192)]
    context: Annotated[tuple[ContextMessage, ...], Field(max_length=3)] = ()
    """Up to three messages before the query, the oldest first. They tell what "the first one"
    refers to."""
    policy: PolicyName = PolicyName.DEFAULT
    limit: Annotated[int, Field(ge=1, le=100)] | None = None
    """The most results, 1 to 100; null for the policy's default."""
    token_budget: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """The most tokens that all contents may take together, 1 to 100,000; results that do not fit
    are left out."""
    records: frozenset[RecordType] = DEFAULT_RECORD_TYPES
    layers: frozenset[Layer] | None = None
    kinds: frozenset[KindByName] | None = None
    """Only memories of these kinds; turns and summaries are left out."""
    as_of: Instant | None = None
    """A past moment: recall what held then, as far as it had been said by then. Null: what holds
    now."""
    since: Instant | None = None
    """Only what was said or happened from this moment on; for summaries, what ended from then on."""
    until: Instant | None = None
    """Only what was said or happened before this moment."""
    include: frozenset[RecallDetail] = frozenset()
    min_revision: Count | None = None
    """A revision of the reader's own write. The request waits up to half a second for it, then
    answers with `stale`."""
    preview: bool = False
    """True to recall without counting it as an access."""
    incognito: bool = False
    """True to neither read nor record anything."""

    @property
    def wanted(self) -> int:
        """The most results to return."""
        return limit_of(self.policy) if self.limit is None else self.limit

    @model_validator(mode="after")
    def _time_passes(self) -> Self:
        if self.since is not None and self.until is not None and self.since >= self.until:
            raise ValueError("since: must be before until")
        return self


class ScoreParts(Value):
    """Parts of a score, each as it was added to the sum."""

    dense: float = 0.0
    """The part for the same meaning."""
    sparse: float = 0.0
    """The part for words that both have."""
    neighbours: float = 0.0
    """The part for what was said just before and after."""
    speaker: float = 0.0
    """The part for names in the question: of a turn's speaker or a memory's subject."""
    length: float = 0.0
    """The part for stating enough."""
    time: float = 0.0
    """The part for the time, if the question names one."""
    succession: float = 0.0
    """The part for standing where the memory it replaced would stand; below 0 for a turn that is
    outdated."""
    asked: float = 0.0
    """The part for the attribute that the question asks for."""
    similarity: float | None = None
    """The part for similarity, by the policy's formula; null for the default policy."""
    recency: float | None = None
    """The part for recency, by the policy's formula; null for the default policy."""
    importance: float | None = None
    """The part for importance, by the policy's formula; null for the default policy."""
    cosine: float | None = None
    """The cosine of question and text, -1 to 1; raised for a memory on a topic of the question."""


class ReplacedMemory(Value):
    """A memory that a result replaced."""

    id: str
    content: str
    valid_from: Instant
    valid_until: Instant | None = None


class NameLink(StrEnum):
    """A link of two memories that is read off what they name, beside their relations."""

    SHARES_ENTITY = "shares_entity"


class RelatedMemory(Value):
    """A memory that a result is related to."""

    type: RelationType | NameLink
    strength: UnitInterval
    id: str
    content: str
    entity: str | None = None
    """The name that both hold, where that is what links them; the rarest of several."""
    entity_kind: EntityKind | None = None
    """The kind of that entity, such as `person`, `organisation` or `place`; null if unknown."""


class RecallResult(RecalledFields):
    """One memory, raw turn or summary of a session, with the evidence it rests on.

    A field that only memories have is null for a turn and for a summary.
    """

    record: RecordType
    """The type of the record: memory, turn or summary."""
    score: float
    """The score by the policy's formula. It ranks results within this answer; it must not be held against a
    threshold or compared between questions. Records that are not relevant enough are not returned at all.
    Results are sorted by it with three exceptions: when an earlier conversation is asked about, its
    summaries come first; summaries that come because they are the newest have 0; and with `history`
    superseded memories come last."""
    relevance: UnitInterval | None = None
    """The relevance to the question by meaning and words, 0 to 1; from .7 on three in four results
    matter. Null for what was returned without a search, such as a neighbouring message."""
    parts: ScoreParts | None = None
    """The parts of the score, if an explanation was asked for."""
    speaker: str | None = None
    """The name of the speaker of a turn."""
    said_by: Role | None = None
    """The role of whoever said it: user, agent or tool; null for a summary."""
    outdated: bool = False
    """True for a turn that states what no longer holds, or that answers to that."""
    kind: Kind | None = None
    """The kind of a memory, such as `preference`, `fact` or `decision`."""
    summary: str | None = None
    """The statement of a memory in one line."""
    importance: UnitInterval | None = None
    """The weight of a memory, 0 to 1."""
    importance_level: int | None = None
    """The same on a scale of 1 to 10; half of it, rounded up, is the level of 1 to 5."""
    confidence: UnitInterval | None = None
    """The probability that a memory is right, 0 to 1."""
    valid_from: Instant | None = None
    """The moment from which a memory holds."""
    time: StatedTime | None = None
    """The time that a memory speaks of. Its content keeps the words, such as "tomorrow", and only
    this tells which day they mean."""
    status: Status | None = None
    """The state of a memory."""
    version: int | None = None
    """The version of a memory or a summary, from 1."""
    history: tuple[ReplacedMemory, ...] = ()
    """The memories whose place it took, the latest first, if `history` was asked for."""
    related: tuple[RelatedMemory, ...] = ()
    """The memories that it is related to, if `graph` was asked for."""
    entity_kinds: dict[str, EntityKind] = Field(default_factory=dict)
    """The kinds of the entities that a memory names, as far as known, if `graph` was asked for."""
    accesses: Accesses | None = None
    """The access counters of a memory before this recall, if `accesses` were asked for."""


class Excluded(Value):
    """Something that was looked at and is not among the results."""

    id: str
    record: RecordType
    why: str
    score: float | None = None
    """The score that would have ranked it."""


class RecallResponse(Value):
    recall_id: str
    results: tuple[RecallResult, ...]
    gated: bool = False
    """True if nothing was relevant enough to be returned."""
    memory_enabled: bool = True
    stale: bool = False
    """True if `min_revision` was not reached in time."""
    gate_margin: float | None = None
    """The margin by which the relevance gate was open, below 0 if it was closed; with an
    explanation only."""
    fell_out: tuple[Excluded, ...] = ()
    took_ms: float


class TraceQuery(Value):
    """`GET /v1/traces`: of a user, the newest first."""

    user_id: Identifier
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    """The most recalls to return, 1 to 200."""
    cursor: Identifier | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""


class TracedResult(Value):
    id: str
    record: RecordType
    score: float
    """The score by which the result was ranked."""


class RecallTrace(Value):
    """One recall. It stands for thirty days."""

    recall_id: str
    asked: str
    """The question without secrets. Empty if it may not be stored, `[erased]` if a result was
    erased."""
    asked_at: Instant
    results: tuple[TracedResult, ...]
    """The results of the recall, best first."""
    used: tuple[str, ...] = ()
    """Ids of the results that a chat service used."""
    used_at: Instant | None = None
    """When their use was last reported, in UTC."""


class TraceList(Value):
    traces: tuple[RecallTrace, ...]
    """The recalls, the newest first."""
    next_cursor: str | None = None
