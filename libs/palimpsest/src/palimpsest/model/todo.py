"""One thing to do. It is also a memory of kind action_item, and has that memory's id."""

from enum import StrEnum

from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Instant, Value


class TodoState(StrEnum):
    OPEN = "open"
    DONE = "done"
    DROPPED = "dropped"
    """Its memory was forgotten, rejected or replaced: nothing is to be done any more."""


class Todo(Value):
    id: str
    """Of the memory that it is as well."""
    scope: Scope
    content: str
    due_at: Instant | None = None
    """Where no time of day was given: the first moment of the day, in the user's zone."""
    all_day: bool = False
    remind_at: Instant | None = None
    """None: nobody is to be reminded."""
    reminded_at: Instant | None = None
    completed_at: Instant | None = None
    completed_by: str | None = None
    """What was said of it that has closed it (`CompletionReport`); it stays where a person opens it again."""
    state: TodoState = TodoState.OPEN
    session_id: Identifier | None = None
    message_id: Identifier | None = None
    """Where it was said."""
    created_at: Instant
    """When it was said."""
    epoch: int
    version: int = 1
    """Rises by one with every change; what stands is only ever written over by a higher one."""

    @property
    def is_to_be_reminded(self) -> bool:
        return (
            self.state is TodoState.OPEN and self.remind_at is not None and self.reminded_at is None
        )


class TodoCompletion(Value):
    """Somebody said that something is done."""

    quote: str
    about: str | None = None
    """The words for what is done; None where it was only said that it is."""
    answering: str | None = None
    """What was said just before, which may name it."""
    session_id: Identifier | None = None
    message_id: Identifier | None = None
    said_at: Instant
