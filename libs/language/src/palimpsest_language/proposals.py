"""Proposals found in a conversation: memories, completions, descriptions of pictures."""

from palimpsest.model.kinds import Kind
from palimpsest.model.user import SensitiveTopic
from palimpsest.model.value_types import Instant, UnitInterval, Value
from palimpsest_language.time_expressions.expression import TimeExpression


class MessageQuote(Value):
    """A message by its number, with the words in it that a proposal rests on."""

    message: int
    quote: str


class StatedValue(Value):
    """A value that a statement holds in its words, and another proposal as its own."""

    subject: str
    attribute: str
    value: str


class Proposal(Value):
    """A proposed memory. It is not believed without its evidence."""

    kind: Kind
    content: str
    """A plain statement in the conversation's language that is clear without the conversation."""
    summary: str | None = None
    """The statement in at most 50 Chinese or 100 Latin characters; by default made from the
    content.
    """
    subject: str | None = None
    """The subject: `user`, or a name."""
    attribute: str | None = None
    value: str | None = None
    ended: bool = False
    """True if the value no longer holds."""
    replaces: str | None = None
    """The value that this one replaces, if that was said."""
    importance: UnitInterval | None = None
    """The weight, 0 to 1; None for the usual one of the kind."""
    confidence: UnitInterval = 0.9
    agent: str | None = None
    """The name of the only agent that it concerns, among those of the request."""
    tags: tuple[str, ...] = ()
    sensitive: SensitiveTopic | None = None
    """The sensitive topic that a model found it to be on."""
    entities: tuple[str, ...] = ()
    occurred_at: Instant | None = None
    """When it happened or will happen; None for when it was said."""
    valid_from: Instant | None = None
    """The moment from which it holds; None for when it was said."""
    valid_until: Instant | None = None
    expires_at: Instant | None = None
    """The moment from which it is worthless; None for no such moment."""
    time: TimeExpression | None = None
    """The resolved time in its words: when it is due, how exact that is, how it recurs."""
    mentions: tuple[TimeExpression, ...] = ()
    """The other times in its words, in order."""
    states: tuple[StatedValue, ...] = ()
    """Values in its words that other proposals have for their own: it ends with them."""
    evidence: tuple[MessageQuote, ...]

    @property
    def time_meant(self) -> tuple[Instant | None, Instant | None] | None:
        """The time that words of the content mean, if it occurs once; None without one."""
        time = self.time
        if time is None or time.recurrence is not None or time.words not in self.content:
            return None
        return (time.starts_at, time.ends_at)


class CompletionClaim(Value):
    """A claim that a task is done."""

    about: str | None
    """The words for the task; None if they name none."""
    evidence: MessageQuote


class PictureDescription(Value):
    """A model's description of the pictures of a message, in its own words."""

    message: int
    description: str


class ExtractionAnswer(Value):
    """All findings of an extraction, which may be none."""

    proposals: tuple[Proposal, ...] = ()
    finished: tuple[CompletionClaim, ...] = ()
    seen: tuple[PictureDescription, ...] = ()
    unread_characters: int = 0
    """Characters of messages left unread, because reading them took too long."""
