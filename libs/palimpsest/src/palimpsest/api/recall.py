"""Recall over HTTP and Kafka: the request, the response, and the trace of a recall."""

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
"""Types that are returned unless others are requested. Many summaries repeat what turns and
memories say.
"""


class RecallDetail(StrEnum):
    """Optional parts of a response, beside its results."""

    EXPLANATION = "explanation"
    """The parts of each score, and the reasons why other records were excluded."""
    HISTORY = "history"
    """The memories that each result replaced; superseded memories fill the remaining room."""
    GRAPH = "graph"
    """The memories that each result is related to, and those that name the same entities."""
    ACCESSES = "accesses"
    """The number of earlier recalls that returned each memory, and the time of the last one."""


class QuestionIntent(StrEnum):
    """The kind of answer that a question was understood to ask for."""

    GENERAL = "general"
    """Whatever is remembered about it."""
    ATTRIBUTE = "attribute"
    """One attribute of somebody, such as where they live."""
    TIME = "time"
    """Everything in the times that the question names."""
    EARLIER_CONVERSATION = "earlier_conversation"
    """An earlier conversation, which its summary tells."""
    LAST_WORDS = "last_words"
    """The last that somebody said in this conversation."""
    TODOS = "todos"
    """All tasks that are not done."""


MAXIMUM_QUERY_CHARACTERS = 8192
"""The most characters of a question."""

MAXIMUM_NAMED = 5_000
"""The most memories that a request names as those that may answer."""


class RecallRequest(ScopedRequest):
    query: Annotated[str, StringConstraints(min_length=1, max_length=MAXIMUM_QUERY_CHARACTERS)]
    context: Annotated[tuple[ContextMessage, ...], Field(max_length=3)] = ()
    """Up to three messages before the query, oldest first. They tell what "the first one" refers
    to.
    """
    policy: PolicyName = PolicyName.DEFAULT
    limit: Annotated[int, Field(ge=1, le=100)] | None = None
    """The most results to return, 1 to 100; null for the policy's default."""
    token_budget: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """The most tokens that all contents may take together, 1 to 100,000; results that do not fit
    are left out.
    """
    records: frozenset[RecordType] = DEFAULT_RECORD_TYPES
    layers: frozenset[Layer] | None = None
    kinds: frozenset[KindByName] | None = None
    """Only memories of these kinds; turns and summaries are left out."""
    memory_ids: Annotated[frozenset[Identifier], Field(max_length=MAXIMUM_NAMED)] | None = None
    """Only the memories of these ids, at most 5,000; turns and summaries are left out."""
    as_of: Instant | None = None
    """A past moment: recall what held then, as far as it was said by then. Null: what holds now."""
    since: Instant | None = None
    """Only what was said or happened from this moment on; for summaries, the end of the session
    counts.
    """
    until: Instant | None = None
    """Only what was said or happened before this moment."""
    include: frozenset[RecallDetail] = frozenset()
    min_revision: Count | None = None
    """A revision of the reader's own write. The request waits up to half a second for it, then
    answers with `stale`."""
    preview: bool = False
    """True to recall without counting it as an access."""
    incognito: bool = False
    """True to read nothing and record nothing."""

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
    """The part for similarity in meaning."""
    sparse: float = 0.0
    """The part for words that the question and the text share."""
    neighbours: float = 0.0
    """The part for the messages just before and after."""
    speaker: float = 0.0
    """The part for a name in the question that is a turn's speaker or a memory's subject."""
    length: float = 0.0
    """The part for the length of the stated text; short texts get less."""
    time: float = 0.0
    """The part for a time that the question names."""
    succession: float = 0.0
    """The part for taking the place of a replaced memory; below 0 for an outdated turn."""
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
    """Links of two memories by names that both hold, beside their relations."""

    SHARES_ENTITY = "shares_entity"


class RelatedMemory(Value):
    """A memory that a result is related to."""

    type: RelationType | NameLink
    strength: UnitInterval
    id: str
    content: str
    entity: str | None = None
    """The name that links both memories, the rarest of several; null for other links."""
    entity_kind: EntityKind | None = None
    """The kind of that entity, such as `person`, `organisation` or `place`; null if unknown."""


class RecallResult(RecalledFields):
    """One memory, raw turn or session summary, with its evidence.

    Fields that only memories have are null for turns and summaries.
    """

    record: RecordType
    """The type of the record: memory, turn or summary."""
    score: float
    """The score by the policy's formula. It ranks the results of this answer; it must not be held
    against a threshold or compared between questions. Records that are not relevant enough are not
    returned. Results are sorted by it with three exceptions: if the question is about an earlier
    conversation, its summaries come first; summaries that are only the newest have 0; and with
    `history` superseded memories come last.
    """
    relevance: UnitInterval | None = None
    """The relevance to the question by meaning and words, 0 to 1; from .7 on three in four results
    matter. Null for a result that no search found, such as a neighbouring message.
    """
    parts: ScoreParts | None = None
    """The parts of the score, if an explanation was requested."""
    speaker: str | None = None
    """The name of the speaker of a turn."""
    said_by: Role | None = None
    """The role of the speaker: user, agent or tool; null for a summary."""
    outdated: bool = False
    """True for a turn that states what no longer holds, or that answers such a turn."""
    kind: Kind | None = None
    """The kind of a memory, such as `preference`, `fact` or `decision`."""
    summary: str | None = None
    """The statement of a memory in one line."""
    importance: UnitInterval | None = None
    """The weight of a memory, 0 to 1."""
    importance_level: int | None = None
    """The same on a scale of 1 to 10; half of it, rounded up, is the level on a scale of 1 to 5."""
    confidence: UnitInterval | None = None
    """The probability that a memory is right, 0 to 1."""
    valid_from: Instant | None = None
    """The moment from which a memory holds."""
    time: StatedTime | None = None
    """The time that a memory speaks of. Its content keeps the words, such as "tomorrow"; only this
    field tells the day.
    """
    status: Status | None = None
    """The state of a memory."""
    version: int | None = None
    """The version of a memory or a summary, from 1."""
    history: tuple[ReplacedMemory, ...] = ()
    """The memories that it replaced, latest first, if `history` was requested."""
    related: tuple[RelatedMemory, ...] = ()
    """The memories that it is related to, if `graph` was requested."""
    entity_kinds: dict[str, EntityKind] = Field(default_factory=dict)
    """The known kinds of the entities that a memory names, if `graph` was requested."""
    accesses: Accesses | None = None
    """The accesses of a memory before this recall, if `accesses` were requested."""


class Excluded(Value):
    """A record that was considered and is not among the results."""

    id: str
    record: RecordType
    why: str
    score: float | None = None
    """The score that it would have had."""


class RecallResponse(Value):
    recall_id: str
    results: tuple[RecallResult, ...]
    gated: bool = False
    """True if nothing was relevant enough to return."""
    memory_enabled: bool = True
    stale: bool = False
    """True if `min_revision` was not reached in time."""
    gate_margin: float | None = None
    """The margin by which the relevance gate was open, below 0 if closed; only with an explanation.
    """
    intent: QuestionIntent | None = None
    """The kind of answer that the question was understood to ask for; only with an explanation."""
    fell_out: tuple[Excluded, ...] = ()
    took_ms: float


class TraceQuery(Value):
    """`GET /v1/traces`: the recalls of a user, or of one agent of theirs, newest first."""

    user_id: Identifier
    agent_id: Identifier | None = None
    """Only the recalls of this agent; null for all of them."""
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
    """One recall, kept for thirty days."""

    recall_id: str
    asked: str
    """The question without secrets. Empty if it may not be stored; `[erased]` if a result was
    erased.
    """
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
