"""Bodies of commands over HTTP, and pages of history. Unknown fields are refused."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from palimpsest.api.resources import CommandResult, Problem
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.content_limits import Content, FreeData
from palimpsest.model.kinds import Kind, KindByName
from palimpsest.model.memory import Memory, MemorySource, StatedRelationType
from palimpsest.model.memory_edits import ClearableField, MemoryEdits, ShortText
from palimpsest.model.topic_match import MINIMUM_SHOWN_RELEVANCE, TopicRelevanceReason
from palimpsest.model.user import Tier
from palimpsest.model.value_types import (
    Identifier,
    Importance,
    Instant,
    Integer,
    UnitInterval,
    Value,
)

ReasonText = Annotated[str, StringConstraints(min_length=1, max_length=500)]

_CLEARABLE: frozenset[ClearableField] = frozenset(
    {"subject", "attribute", "value", "valid_until", "expires_at"}
)


class AddRequest(Value):
    """`POST /v1/memories`: a memory added by hand, active at once."""

    content: Content
    summary: ShortText | None = None
    kind: KindByName = Kind.FACT
    source: MemorySource = MemorySource.USER_INPUT
    subject: ShortText | None = None
    attribute: ShortText | None = None
    value: ShortText | None = None
    importance: Importance | None = None
    tags: tuple[ShortText, ...] = Field(default=(), max_length=100)
    entities: tuple[ShortText, ...] = Field(default=(), max_length=100)
    data: FreeData = Field(default_factory=dict)
    occurred_at: Instant | None = None
    """The moment from which the statement holds; null for now."""
    due_at: Instant | None = None
    """When a todo is due; null for the time in its words."""
    remind_at: Instant | None = None
    """When to send a reminder of a todo; null derives it from the due time."""
    expires_at: Instant | None = None
    """The moment at which the memory is forgotten; null for no such moment."""
    record_key: Identifier | None = None
    """A key of the caller's own, for a memory that stands alone: it is never merged with another
    one, superseded or compressed, and adding under the same key again rewrites it. Keys are
    stored unencrypted.
    """

    @model_validator(mode="after")
    def _is_due_if_it_is_a_todo(self) -> Self:
        if (self.due_at or self.remind_at) and not self.kind.properties.is_todo:
            raise ValueError("due_at and remind_at are for the kind action_item")
        return self


class AddTodoRequest(Value):
    """`POST /v1/todos`: a todo added by hand. It is also a memory of kind action_item."""

    content: Content
    summary: ShortText | None = None
    importance: Importance | None = None
    tags: tuple[ShortText, ...] = Field(default=(), max_length=100)
    entities: tuple[ShortText, ...] = Field(default=(), max_length=100)
    data: FreeData = Field(default_factory=dict)
    due_at: Instant | None = None
    """When it is due; null for the time in its words."""
    remind_at: Instant | None = None
    """When to send a reminder; null derives it from the due time."""
    recurrence: Annotated[str, Field(max_length=200)] | None = None
    """The recurrence rule of RFC 5545, such as `FREQ=WEEKLY;BYDAY=MO`; null for a single time."""

    def memory(self) -> AddRequest:
        """Return the request to add the todo's memory."""
        given = {name: getattr(self, name) for name in self.model_fields_set - {"recurrence"}}
        if self.recurrence is not None:
            given["data"] = {**self.data, "recurrence": self.recurrence}
        return AddRequest(kind=Kind.ACTION_ITEM, **given)


class SnoozeTodoRequest(Value):
    """`POST /v1/todos/{todo_id}/snooze`: a new time for the reminder."""

    until: Instant
    """When to send the reminder; a time that is past is refused."""


class EditRequest(Value):
    """`PATCH /v1/memories/{id}`: fields to change. One left out stays; null clears an optional field."""

    content: Content | None = None
    summary: ShortText | None = None
    """The new summary; left out, it becomes the first line of new content."""
    kind: KindByName | None = None
    subject: ShortText | None = None
    attribute: ShortText | None = None
    value: ShortText | None = None
    importance: Importance | None = None
    tags: Annotated[tuple[ShortText, ...], Field(max_length=100)] | None = None
    entities: Annotated[tuple[ShortText, ...], Field(max_length=100)] | None = None
    data: FreeData | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    expires_at: Instant | None = None
    version: Integer | None = None
    """The version that was edited. If another version is current, the edit is a conflict."""

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not self.edits().changes():
            raise ValueError("names nothing that is to be different")
        return self

    def edits(self) -> MemoryEdits:
        said = {name: getattr(self, name) for name in self.model_fields_set - {"version"}}
        given = {name: value for name, value in said.items() if value is not None}
        cleared = _CLEARABLE & (said.keys() - given.keys())
        return MemoryEdits.model_validate({**given, "cleared": cleared})


class MergeRequest(Value):
    """`POST /v1/memories/merge`: the first memory stays, the others are archived."""

    memory_ids: Annotated[tuple[Identifier, ...], Field(min_length=2, max_length=100)]
    content: Content | None = None
    """The content of the merged memory; left out, the first memory keeps its own."""
    summary: ShortText | None = None


class RelateRequest(Value):
    """`POST /v1/memories/{id}/relations`: the relation of the memory to another one of its scope."""

    other_id: Identifier
    """The id of the other memory."""
    relation: StatedRelationType
    """`supports`: both hold, and each makes the other likelier. `refines`: it says the same more
    precisely. `contradicts`: they cannot both hold.
    """
    strength: UnitInterval = 0.5
    """The certainty of the relation, 0 to 1; 0 removes the relation."""


class ReasonRequest(Value):
    """An optional reason, kept in the history."""

    reason: ReasonText | None = None


class BulkRequest(Value):
    """`POST /v1/memories/bulk`: one action on many memories, each as a command of its own."""

    memory_ids: Annotated[tuple[Identifier, ...], Field(min_length=1, max_length=100)]
    """The ids of the memories, 1 to 100, each once."""
    action: Literal["pin", "unpin", "confirm", "reject", "forget", "restore"]
    """The action, as the route of one memory has it."""
    reason: ReasonText | None = None
    """The reason for `forget` and `reject`, kept in the history; other actions take none."""


class BulkItem(Value):
    """The result of one action of many."""

    memory_id: Identifier
    status: Literal[200, 202, 404, 409]
    """The HTTP status that the action alone would have had."""
    result: CommandResult | None = None
    """The effect of the command; null if it was refused."""
    problem: Problem | None = None
    """The reason why it was refused; null if it was not."""


class BulkResult(Value):
    """One result for each memory, in the order of the request."""

    results: tuple[BulkItem, ...]
    """One result for each memory id, in their order."""


class TierUpdate(Value):
    """`PUT /v1/settings/tier`: the new tier; null for the deployment's default."""

    tier: Tier | None


class ChangeQuery(Value):
    """`GET /v1/changes`: change sets of a user, or of one memory, newest first."""

    user_id: Identifier
    agent_id: Identifier | None = None
    """Only changes of memories that this agent sees, and of those changes only these memories."""
    memory_id: Identifier | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    """The most change sets to return, 1 to 200."""
    cursor: Annotated[Integer, Field(ge=1)] | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""


class ChangeList(Value):
    """One page of change sets: who changed what, when and why, before and after."""

    changes: tuple[ChangeSet, ...]
    next_cursor: int | None = None


class ForgetEverythingRequest(Value):
    """`POST /v1/forget-everything`: the user is named twice, because nothing brings the data back."""

    confirm_user_id: Identifier | None = None
    """The user's id once more; only a dry run may leave it out."""
    dry_run: bool = False


class DataInventoryCounts(Value):
    """Numbers of a user's records by collection, without any content."""

    counts: dict[str, int]


class ErasureState(Value):
    """A decided erasure, and the stages that may still hold some of its data."""

    change_set_id: str
    decided_at: Instant
    everything: bool
    waiting_for: tuple[str, ...]


class ErasureList(Value):
    """Erasures of a user, oldest first."""

    erasures: tuple[ErasureState, ...]


class ForgetEverythingResult(Value):
    """The counts of a dry run, or the result of the command."""

    kept: DataInventoryCounts | None = None
    """The counts that a dry run found; null unless `dry_run` was set."""
    result: CommandResult | None = None


class ForgetTopicRequest(Value):
    """`POST /v1/forget-topic`: erase what is on a topic. The topic itself is stored nowhere."""

    topic: Annotated[str, StringConstraints(min_length=2, max_length=200, strip_whitespace=True)]
    at_least: Annotated[float, Field(ge=MINIMUM_SHOWN_RELEVANCE, le=1.0)] = 0.9
    """The least probability, .6 to 1, at which a record counts as on the topic and is erased."""
    dry_run: bool = False


class TopicSearchHit(Value):
    """A stored record, and how likely it is about the topic."""

    record: Literal["memory", "turn", "summary", "request", "dead_letter", "question"]
    id: str
    sure: UnitInterval
    """The probability that the record is on the topic, .6 to 1."""
    because: TopicRelevanceReason
    """The reason for this probability."""
    beginning: str
    """The first words of the record, at most 120 characters."""


class TopicSearchResult(Value):
    """Records on a topic, most probable first. Without `by_meaning` only names and words were compared."""

    found: tuple[TopicSearchHit, ...]
    """The records on the topic, the most probable first."""
    by_meaning: bool
    """True if records were compared by meaning, and not only by names and words."""


class ForgetTopicResult(Value):
    """The records found on the topic, and the result of the command; a dry run has no result."""

    topic: TopicSearchResult
    result: CommandResult | None = None
    also_said: tuple[Memory, ...] = ()
    """Memories that rest on erased messages and are not clearly on the topic. They stay and may say
    the same; purge each that should go as well."""
