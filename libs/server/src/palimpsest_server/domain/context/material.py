"""Material of a context, before a format has written it down."""

from datetime import date, datetime
from typing import NamedTuple

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest_language.time_expressions.dated_words import DatedText


class ContextItem(NamedTuple):
    """A memory, or something that was said."""

    number: int
    """Under which it is cited, from 1."""
    content: DatedText
    """Words that stand beside the dates that they mean."""
    summary: DatedText | None = None
    """Summary of a memory; None for what was said."""
    kind: Kind | None = None
    """Kind of a memory; None for what was said."""
    speaker: str | None = None
    said_by: Role | None = None
    """Role of whoever said it; None where that is not known."""
    on: date | None = None
    """Day when it was said or happened, where the user lives."""
    at: datetime | None = None
    """Moment of the same, so that what was said on one day stands in its order."""
    until: date | None = None
    """Day from which on it no longer holds; None where it does."""
    overdue_since: date | None = None
    """Day on which it was to be done, if that is over; None for all else."""
    conflicts: tuple[int, ...] = ()
    """The numbers of items that say otherwise."""


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
    """The latest first."""
    items: tuple[ContextItem, ...] = ()
    """The best first."""
    running_summary: str = ""
    """Running summary of the current conversation; only for a format that says it."""
    persona: PromptPersona = PromptPersona()
    system_prompt: str = ""
    """The chat service's own."""
    citations: bool = False
    withheld: bool = False
    """True where more is known than fits: then a format does not say that nothing is."""


class WrittenContext(NamedTuple):
    block: str
    """Text of what memory says; may be empty where it has nothing to say."""
    before: str
    """The system prompt up to the block, and from its end on."""
    after: str
