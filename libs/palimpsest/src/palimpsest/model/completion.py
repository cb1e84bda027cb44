"""A statement that something is done."""

from palimpsest.model.value_types import Identifier, Instant, Value


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
