"""Events of change: what streams and webhooks tell of each record that changed."""

from enum import StrEnum
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Instant, Value


class ChangeEventType(StrEnum):
    """Kinds of change that others are told of."""

    MEMORY_PENDING = "memory.pending"
    """A memory waits for its user's yes."""
    MEMORY_CREATED = "memory.created"
    MEMORY_CONFIRMED = "memory.confirmed"
    """A memory that waited is active now."""
    MEMORY_UPDATED = "memory.updated"
    MEMORY_SUPERSEDED = "memory.superseded"
    MEMORY_ARCHIVED = "memory.archived"
    MEMORY_FORGOTTEN = "memory.forgotten"
    MEMORY_REJECTED = "memory.rejected"
    MEMORY_RESTORED = "memory.restored"
    MEMORY_PURGED = "memory.purged"
    """A memory is gone for good; without an id, all that there was of the user is."""
    TODO_CREATED = "todo.created"
    TODO_UPDATED = "todo.updated"
    TODO_REMINDED = "todo.reminded"
    """It is time to remind the user."""
    TODO_COMPLETED = "todo.completed"
    TODO_REOPENED = "todo.reopened"
    TODO_DROPPED = "todo.dropped"
    """Nothing is to be done any more."""
    PROFILE_UPDATED = "profile.updated"
    SESSION_SUMMARISED = "session.summarised"


class ChangedRecord(Value):
    """The record that changed: ids and the kind of change, and its words if they are asked for."""

    record: Literal["memory", "todo", "profile", "summary"]
    id: str | None
    """The id of the record; null where all that there was of the user is gone."""
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
    """The words of the record after the change; null where they are not asked for or are erased."""


class ChangeEvent(Value):
    """One record changed. The same change has the same id wherever it is told."""

    id: str
    """The id of the event, derived from the change: whoever hears it twice knows by this."""
    type: ChangeEventType
    """The kind of change."""
    timestamp: Instant
    """When the change was decided, in UTC."""
    data: ChangedRecord
    """The record that changed."""
    position: str | None = None
    """The place in the stream, to go on behind it; null where it does not come from a stream."""


class StreamPosition(NamedTuple):
    """A place in the stream of changes; written, it is the id of a streamed event."""

    revision: int
    """The user's revision."""
    read: int
    """The events of that change set up to here, from 1; 0 for none of them."""
    milliseconds: int
    """The moment of the decision since 1970: the place where several users are streamed."""

    def __str__(self) -> str:
        return f"{self.revision}.{self.read}.{self.milliseconds}"

    @classmethod
    def parse(cls, written: str) -> Self:
        """Return the position that was written like this.

        Raises:
            ValueError: it was not.
        """
        revision, read, milliseconds = written.split(".")
        return cls(int(revision), int(read), int(milliseconds))


PositionText = Annotated[str, Field(pattern=r"^\d{1,18}\.\d{1,6}\.\d{1,15}$")]


class ChangeStreamQuery(Value):
    """`GET /v1/events/stream`: changes of one user, or without `user_id` of everybody."""

    user_id: Identifier | None = None
    """The user whose changes are streamed; left out, those of all users."""
    agent_id: Identifier | None = None
    """Only what this agent sees; left out, all that there is of the user."""
    project_id: Identifier | None = None
    """Only what is seen from within this project."""
    type: frozenset[ChangeEventType] | None = None
    """Only these kinds of change; left out, all of them."""
    content: bool = False
    """True to send the words of the records as well."""
    after: PositionText | None = None
    """The id of the last event that was read. The header Last-Event-ID says the same and wins."""

    @model_validator(mode="after")
    def _names_whose(self) -> Self:
        if self.user_id is None and (self.agent_id or self.project_id):
            raise ValueError("an agent or a project is some user's: name the user_id as well")
        return self

    def takes(self, event: ChangeEvent) -> bool:
        """Tell whether this event is asked for."""
        if self.type is not None and event.type not in self.type:
            return False
        return sees_record(event.data, self.user_id, self.agent_id, self.project_id)


def sees_record(
    record: ChangedRecord, user_id: str | None, agent_id: str | None, project_id: str | None
) -> bool:
    """Tell whether a reader is told of this record: without a user everybody's, without agent all."""
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
