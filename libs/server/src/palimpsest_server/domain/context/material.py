"""Material of a context, before a format writes it."""

from datetime import date, datetime
from typing import NamedTuple

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest_language.time_expressions.dated_words import DatedText


class ContextItem(NamedTuple):
    """A memory or a message."""

    number: int
    """Number under which the item is cited, from 1."""
    content: DatedText
    """Words with the dates that they mean."""
    summary: DatedText | None = None
    """Summary of a memory; None for a message."""
    kind: Kind | None = None
    """Kind of a memory; None for a message."""
    speaker: str | None = None
    said_by: Role | None = None
    """Role of the speaker; None if unknown."""
    on: date | None = None
    """Day on which it was said or happened, in the user's time zone."""
    at: datetime | None = None
    """Moment at which it was said or happened, which orders the messages of a day."""
    until: date | None = None
    """First day on which it no longer holds; None if it still holds."""
    overdue_since: date | None = None
    """Due day of an overdue todo; None for everything else."""
    conflicts: tuple[int, ...] = ()
    """Numbers of contradicting items."""


class EarlierConversation(NamedTuple):
    """Summary of an earlier conversation."""

    on: date
    text: DatedText


class PromptPersona(NamedTuple):
    name: str = ""
    personality: str = ""


class ContextMaterial(NamedTuple):
    language: Language
    profile: str = ""
    conversations: tuple[EarlierConversation, ...] = ()
    """Earlier conversations, latest first."""
    items: tuple[ContextItem, ...] = ()
    """Memories and messages, best first."""
    running_summary: str = ""
    """Running summary of the current conversation; only for a format that says it."""
    persona: PromptPersona = PromptPersona()
    system_prompt: str = ""
    """The chat service's own."""
    citations: bool = False
    withheld: bool = False
    """True if more is known than fits: then a format must not say that nothing is known."""


class WrittenContext(NamedTuple):
    block: str
    """Text of memories and messages; may be empty."""
    before: str
    """The system prompt before the block, and after it."""
    after: str
