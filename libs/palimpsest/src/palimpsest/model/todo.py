"""A todo. It is also a memory of kind action_item, and has that memory's id."""

from datetime import datetime
from enum import StrEnum

from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Instant, Integer, Value


class TodoState(StrEnum):
    OPEN = "open"
    DONE = "done"
    DROPPED = "dropped"
    """Its memory was forgotten, rejected or replaced."""


class TodoRecurrence(Value):
    """Times at which a todo recurs, in wall-clock time."""

    rule: str
    """The rule of RFC 5545, such as `FREQ=WEEKLY;BYDAY=MO`."""
    starts_at: Instant
    """The first time, in UTC; its time of day is that of all others."""
    time_zone: str
    """The IANA time zone of the recurrence."""
    lead_seconds: Integer = 0
    """Seconds from the reminder to the occurrence, in wall-clock time; below 0 if it comes after.
    """


class Todo(Value):
    id: str
    """The id of the todo, which is also the id of its memory."""
    scope: Scope
    content: str
    due_at: Instant | None = None
    """When it is due. Without a time of day: the first moment of that day, in the user's time zone.
    """
    all_day: bool = False
    remind_at: Instant | None = None
    """When to send a reminder, in UTC; null for none."""
    reminded_at: Instant | None = None
    recurrence: TodoRecurrence | None = None
    """The rule by which it recurs; null for a todo that is done once."""
    completed_at: Instant | None = None
    completed_by: str | None = None
    """The statement that completed it (`TodoCompletion`); it stays if a person reopens the todo.
    """
    state: TodoState = TodoState.OPEN
    session_id: Identifier | None = None
    message_id: Identifier | None = None
    """The message in which it was said."""
    created_at: Instant
    """When it was said, in UTC."""
    epoch: Integer
    version: Integer = 1
    """The version, from 1. Every change raises it by one, and a lower one never replaces a higher
    one."""

    @property
    def is_to_be_reminded(self) -> bool:
        if self.state is not TodoState.OPEN or self.remind_at is None:
            return False
        return self.reminded_at is None or self.reminded_at < self.remind_at

    @property
    def next_reminder(self) -> datetime | None:
        """When its pending reminder is due; None if nobody is to be reminded."""
        return self.remind_at if self.is_to_be_reminded else None


class TodoCompletion(Value):
    """A statement that something is done."""

    quote: str
    about: str | None = None
    """The words for what is done; None if none are given."""
    answering: str | None = None
    """The message before, which may name what is done."""
    session_id: Identifier | None = None
    message_id: Identifier | None = None
    said_at: Instant
