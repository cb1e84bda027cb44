"""A memory: its fields, the evidence that it rests on, and its states."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import Field, field_validator

from palimpsest.model.content_limits import check_content_size, check_storable
from palimpsest.model.field_rules import Unite, Words, read_word_rules
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo
from palimpsest.model.turn import Role
from palimpsest.model.user import Language, SensitiveTopic
from palimpsest.model.value_types import Identifier, Instant, Integer, UnitInterval, Value


class Status(StrEnum):
    PENDING = "pending"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"
    REJECTED = "rejected"
    PURGED = "purged"


class MemorySource(StrEnum):
    """Ways in which a memory came to be."""

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


StatedRelationType: TypeAlias = Literal[
    RelationType.SUPPORTS, RelationType.CONTRADICTS, RelationType.REFINES
]
"""The relations that people state; a derivation follows from how the memory was made."""


class Relation(Value):
    type: RelationType
    memory_id: str
    strength: UnitInterval = 0.5
    """The strength of the link, 0 to 1."""


class Evidence(Value):
    """A quote that a memory rests on, and the place where it was said or written."""

    quote: str
    """The quoted words."""
    said_by: Role | None = None
    session_id: Identifier | None = None
    message_id: Identifier | None = None
    origin: str = "message"
    """The origin of the words: `message`, `picture`, `command`, `skill`, `file`, `import` or
    `data`."""
    images: tuple[str, ...] = ()
    """Addresses of the pictures and videos that belong to these words."""
    said_at: Instant | None = None
    """When these words were said or written; null if unknown."""
    valid_from: Instant | None = None
    """The moment from which these words hold. The consolidator fills this and the next two fields,
    so that a memory can be split into its statements again."""
    received_at: Instant | None = None
    confidence: UnitInterval | None = None
    """The confidence in these words alone, 0 to 1."""
    news: bool = False
    """True if the words tell of a recent change; filled by the consolidator."""
    position: Integer = 0
    """The place of its statement among those proposed together. Of the same moment, the later one
    holds.
    """


class MemoryStatement(Value):
    """A statement united in a memory that says more or other than the memory itself.

    Evidence with the same `valid_from` and `position` belongs to it.
    """

    valid_from: Instant
    position: Integer
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
    """A correction of a memory by hand."""

    at: Instant
    """When the memory was corrected, in UTC."""
    value: str | None = None
    """The value before the correction, if the correction changed it."""
    turn_ids: tuple[str, ...] = ()
    """Ids of the messages that the memory rested on before."""
    session_ids: tuple[str, ...] = ()
    """The sessions in which these messages were said."""


class Accesses(Value):
    """Access counters beside a memory; they change no version."""

    count: int = 0
    last_at: Instant | None = None


class RecalledFields(Value):
    """Fields that candidates, memories and results of recall have in common.

    A field here is stored and shown in recall as soon as something fills it. If it holds words, it
    also stands in `MemoryStatement`, with a default.
    """

    id: Annotated[str, Words.APART]
    """The id of the record."""
    scope: Annotated[Scope, Words.APART]
    """The user, agent and project to which it belongs."""
    content: Annotated[str, Words.STATEMENT]
    """The statement in full."""
    subject: Annotated[str | None, Words.TOPIC] = None
    """The person or thing that the statement is about; null if it names none."""
    attribute: Annotated[str | None, Words.TOPIC] = None
    """The property of the subject, such as `city`. A new value of it supersedes the old one."""
    value: Annotated[str | None, Words.STATEMENT] = None
    """The value of the attribute."""
    entities: Annotated[tuple[str, ...], Unite.ALL_WORDS, Words.NAME] = ()
    """Names of people, places and things that the statement mentions."""
    occurred_at: Annotated[Instant, Unite.EARLIEST]
    """When it happened or was said."""
    valid_until: Instant | None = None
    """The moment from which the statement no longer holds; null while it holds."""
    evidence: Annotated[tuple[Evidence, ...], Unite.DISTINCT_EVIDENCE, Words.APART]
    """Quotes that it rests on, with the messages in which they were said."""


class MemoryFields(RecalledFields):
    """Fields that a candidate hands on to the memory that it becomes."""

    kind: Kind
    """The kind of memory, such as `preference`, `fact` or `decision`."""
    summary: Annotated[str, Words.STATEMENT]
    """The statement in one line."""
    ended: bool = False
    """True if the statement says that this value no longer holds, from `valid_from` on."""
    data: Annotated[dict[str, Any], Words.APART] = Field(default_factory=dict)
    """Structured details of any shape, at most 16 KiB of JSON."""
    importance: Annotated[UnitInterval, Unite.LARGEST]
    """The weight of the memory, 0 to 1."""
    confidence: Annotated[UnitInterval, Unite.FROM_EVIDENCE]
    """The probability that the statement is right, 0 to 1."""
    lifetime: Lifetime
    """The class of forgetting: core, working or temporary."""
    source: MemorySource
    """The origin of the memory."""
    said_by: Role | None = None
    """The role of the speaker; null if nobody said it."""
    tags: Annotated[tuple[str, ...], Unite.ALL_WORDS, Words.LABEL] = ()
    """Words under which the memory is filed."""
    language: Language | None = None
    """The language of the content."""
    valid_from: Annotated[Instant, Unite.EARLIEST]
    """The moment from which the statement holds."""
    expires_at: Instant | None = None
    """The moment at which the memory is forgotten at the latest; null if no moment is set."""
    standalone: bool = False
    """True if it was added under a key of the caller's own: it is never merged with another memory,
    superseded or compressed.
    """

    @property
    def embedded_text(self) -> str:
        """The text to embed."""
        return embedded_text(self.summary, self.content)


WORD_RULES: Mapping[str, Words] = read_word_rules(MemoryFields)
"""The rule of each field of a memory that holds words, in the order of the fields."""

if _unstated := [
    name
    for name, rule in WORD_RULES.items()
    if rule is not Words.TOPIC and name not in MemoryStatement.model_fields
]:
    raise RuntimeError(f"MemoryStatement lacks {', '.join(_unstated)}")


class Candidate(MemoryFields):
    """A proposed memory, before the consolidator decides about it."""

    confirmed: bool = False
    """True if its author stated it as a memory: active at once, whatever the review setting."""
    sensitive: SensitiveTopic | None = None
    """The sensitive topic that a model found it to be on; rules look at its words beside that."""


class Memory(MemoryFields):
    """A statement about a user that is kept, with its evidence, its times and its status."""

    recorded_at: Annotated[Instant, Unite.EARLIEST]
    """When the memory was first kept."""
    supersedes: tuple[str, ...] = ()
    """Ids of the memories that it replaced."""
    superseded_by: str | None = None
    """The id of the memory that replaced it."""
    relations: tuple[Relation, ...] = ()
    """Links to other memories, each with a strength of 0 to 1."""
    told_apart: Annotated[tuple[str, ...], Unite.ALL_WORDS] = ()
    """Ids of similar memories that a model judged to say something else."""
    status: Status
    """The state of the memory; only active memories are recalled by default."""
    status_reason: str | None = None
    """The reason for this status."""
    pinned: Annotated[bool, Unite.ANY] = False
    """True if no policy may forget, fade or merge it away."""
    faded_at: Instant | None = None
    """When its importance was last lowered because it was not used."""
    statements: tuple[MemoryStatement, ...] = ()
    """Statements that the memory unites, and that differ from its own."""
    corrections: tuple[MemoryCorrection, ...] = ()
    """Manual corrections, each with the value and the messages before it, the oldest first."""
    epoch: Integer
    """The user's epoch; it rises when everything of the user is erased."""
    version: Integer = 1
    """The number of this version, from 1; it rises by one with every change."""

    @property
    def corrected(self) -> tuple[str, ...]:
        """The ids of the turns whose statement was corrected since."""
        return tuple(
            sorted({turn_id for correction in self.corrections for turn_id in correction.turn_ids})
        )

    def valid_at(self, moment: Instant) -> bool:
        """Tell whether the memory holds at this moment: from is inclusive, until is not."""
        return self.valid_from <= moment and (self.valid_until is None or moment < self.valid_until)


def memory_id(user_id: str, candidate_id: str) -> str:
    """Return the id of the memory that a candidate becomes.

    It includes the user: clients choose event ids, and two users may choose the same.
    """
    return derive_id("memory", user_id, candidate_id)


def keyed_candidate_id(scope: Scope, record_key: str, epoch: int) -> str:
    """Return the id of the candidate that is added under a key of the caller's own in a scope.

    It includes the epoch, because what was erased leaves a tombstone under its id.
    """
    return derive_id("record", scope.agent_id, scope.project_id, record_key, str(epoch))


def embedded_text(summary: str, content: str) -> str:
    """Return the text to embed: summary and content, or one of them if they are the same."""
    return content if content.startswith(summary.rstrip("…")) else f"{summary}\n{content}"


HELD_STATUSES = frozenset({Status.ACTIVE, Status.SUPERSEDED})
"""Statuses of memories that hold or once held. All others never held, or are hidden."""


MemoryOrCandidateT = TypeVar("MemoryOrCandidateT", Memory, Candidate)


class MemoryAtVersion(Value):
    """A memory at a given version."""

    memory_id: str
    version: int


class ImportedMemory(Value):
    """A memory as another user's export has it, and its todo if it is something to do."""

    memory: Memory
    """The memory; its user is replaced by that of the import, and its id by one that follows from it."""
    todo: Todo | None = None
    """The todo of the memory, with what was done and reminded of."""

    @field_validator("memory")
    @classmethod
    def _can_be_stored(cls, memory: Memory) -> Memory:
        check_content_size(memory.content)
        check_storable(memory.data)
        return memory
