"""Events of change, as streams and webhooks send them: one for each record that changed."""

from enum import StrEnum
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Instant, Value


class ChangeEventType(StrEnum):
    """Kinds of change that are reported."""

    MEMORY_PENDING = "memory.pending"
    """A memory waits for its user's confirmation."""
    MEMORY_CREATED = "memory.created"
    MEMORY_CONFIRMED = "memory.confirmed"
    """A memory that waited for confirmation became active."""
    MEMORY_UPDATED = "memory.updated"
    MEMORY_SUPERSEDED = "memory.superseded"
    MEMORY_ARCHIVED = "memory.archived"
    MEMORY_FORGOTTEN = "memory.forgotten"
    MEMORY_REJECTED = "memory.rejected"
    MEMORY_RESTORED = "memory.restored"
    MEMORY_PURGED = "memory.purged"
    """A memory was erased for good; without an id, all data of the user was."""
    TODO_CREATED = "todo.created"
    TODO_UPDATED = "todo.updated"
    TODO_REMINDED = "todo.reminded"
    """A todo's reminder is due now."""
    TODO_COMPLETED = "todo.completed"
    TODO_REOPENED = "todo.reopened"
    TODO_DROPPED = "todo.dropped"
    """A todo was dropped, as its memory was forgotten, rejected or replaced."""
    PROFILE_UPDATED = "profile.updated"
    SESSION_SUMMARISED = "session.summarised"


MEMORY_EVENTS = frozenset(kind for kind in ChangeEventType if kind.startswith("memory."))
"""Kinds of change of memories."""


class ChangedRecord(Value):
    """The record that changed: its ids, the kind of change, and on request its content."""

    record: Literal["memory", "todo", "profile", "summary"]
    id: str | None = None
    """The id of the record; null if all data of the user was erased."""
    user_id: str
    """The user to whom the record belongs."""
    agent_id: str | None = None
    project_id: str | None = None
    session_id: str | None = None
    """The session of a summary or todo; null for other records."""
    status: str | None = None
    """The status of the memory or the state of the todo after the change."""
    version: int | None = None
    """The version of the record after the change."""
    change_set_id: str
    """The change set, as `GET /v1/changes/{change_set_id}` shows it."""
    revision: int
    """The user's revision of the change set; it rises with each change set of the user."""
    late: bool | None = None
    """True for a reminder that comes more than a minute late; null for other changes."""
    content: str | None = None
    """The content of the record after the change; null if it was not requested or is erased."""


class ChangeEvent(Value):
    """One changed record. The same change has the same id in every stream and webhook."""

    id: str
    """The id of the event, derived from the change, so that a repeated event can be recognised."""
    type: ChangeEventType
    """The kind of change."""
    timestamp: Instant
    """When the change was decided, in UTC."""
    data: ChangedRecord
    """The record that changed."""
    position: str | None = None
    """The position in the stream, to continue behind it; null outside of a stream."""


class StreamPosition(NamedTuple):
    """A position in the stream of changes. Written as text, it is the id of a streamed event."""

    revision: int
    """The user's revision."""
    read: int
    """The number of events of that change set up to here, from 1; 0 for none of them."""
    milliseconds: int
    """Milliseconds from 1970 to the decision: the position in a stream of several users."""

    def __str__(self) -> str:
        return f"{self.revision}.{self.read}.{self.milliseconds}"

    @classmethod
    def parse(cls, written: str) -> Self:
        """Parse the position from its text.

        Raises:
            ValueError: the text is not a position.
        """
        revision, read, milliseconds = written.split(".")
        return cls(int(revision), int(read), int(milliseconds))


PositionText = Annotated[str, Field(pattern=r"^\d{1,18}\.\d{1,6}\.\d{1,15}$")]


class ChangeStreamQuery(Value):
    """`GET /v1/events/stream`: changes of one user, or of all users without `user_id`."""

    user_id: Identifier | None = None
    """The user whose changes are streamed; left out, changes of all users."""
    agent_id: Identifier | None = None
    """Only changes that this agent sees; left out, all changes of the user."""
    project_id: Identifier | None = None
    """Only changes that are seen from within this project."""
    type: frozenset[ChangeEventType] | None = None
    """Only these kinds of change; left out, all of them."""
    content: bool = False
    """True to send the content of the records as well."""
    after: PositionText | None = None
    """The id of the last event that was read. The header Last-Event-ID means the same and takes
    precedence.
    """

    @model_validator(mode="after")
    def _names_whose(self) -> Self:
        if self.user_id is None and (self.agent_id or self.project_id):
            raise ValueError("an agent or a project is some user's: name the user_id as well")
        return self

    def takes(self, event: ChangeEvent) -> bool:
        """Tell whether the query asks for this event."""
        if self.type is not None and event.type not in self.type:
            return False
        return sees_record(event.data, self.user_id, self.agent_id, self.project_id)


def sees_record(
    record: ChangedRecord, user_id: str | None, agent_id: str | None, project_id: str | None
) -> bool:
    """Tell whether a reader sees this record. Without a user it sees all, without agent a user's."""
    if user_id is None:
        return True
    if record.user_id != user_id:
        return False
    if (agent_id is None and project_id is None) or record.id is None:
        return True
    reader = Scope(user_id=user_id, agent_id=agent_id, project_id=project_id)
    place = Scope.model_construct(
        user_id=user_id, agent_id=record.agent_id, project_id=record.project_id
    )
    return place in reader.visible()
