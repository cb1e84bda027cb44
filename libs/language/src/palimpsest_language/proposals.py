"""Proposals found in a conversation: memories, completions, descriptions of pictures."""

from palimpsest.model.kinds import Kind
from palimpsest.model.user import SensitiveTopic
from palimpsest.model.value_types import Instant, UnitInterval, Value
from palimpsest_language.time_expressions.expression import TimeExpression


class MessageQuote(Value):
    """A message by its number, and the words in it that a proposal rests on."""

    message: int
    quote: str


class Proposal(Value):
    """Something that may be worth remembering. Nothing is believed without its evidence."""

    kind: Kind
    content: str
    """A plain statement in the conversation's language, understood without it."""
    summary: str | None = None
    """At most 50 Chinese or 100 Latin characters; made from the content where missing."""
    subject: str | None = None
    """`user`, or the name of whom or what it is about."""
    attribute: str | None = None
    value: str | None = None
    ended: bool = False
    """It was said that this value no longer holds."""
    replaces: str | None = None
    """The value this one takes the place of, where that was said."""
    importance: UnitInterval | None = None
    """None: what is usual for the kind."""
    confidence: UnitInterval = 0.9
    agent: str | None = None
    """The name of the agent that it concerns alone, among those of the request."""
    tags: tuple[str, ...] = ()
    sensitive: SensitiveTopic | None = None
    """The sensitive topic that a model found it to be on."""
    entities: tuple[str, ...] = ()
    occurred_at: Instant | None = None
    """When it happened or will; None: when it was said."""
    valid_from: Instant | None = None
    """None: from when it was said on."""
    valid_until: Instant | None = None
    expires_at: Instant | None = None
    """The moment from which it is not worth remembering; None: no such moment."""
    time: TimeExpression | None = None
    """What its words say about time, resolved: when it is due, how exact that is, how it recurs."""
    mentions: tuple[TimeExpression, ...] = ()
    """The other times that its words name, in their order."""
    evidence: tuple[MessageQuote, ...]

    @property
    def time_meant(self) -> tuple[Instant | None, Instant | None] | None:
        """The time that words of the content mean, if it comes but once; None for no such words."""
        time = self.time
        if time is None or time.recurrence is not None or time.words not in self.content:
            return None
        return (time.starts_at, time.ends_at)


class CompletionClaim(Value):
    """Somebody said that something is done which was to be done."""

    about: str | None
    """The words for it; None where it was only said that it is."""
    evidence: MessageQuote


class PictureDescription(Value):
    """A model's description of the pictures of a message, in its own words."""

    message: int
    description: str


class ExtractionAnswer(Value):
    """All that was found. Nothing found is an answer too."""

    proposals: tuple[Proposal, ...] = ()
    finished: tuple[CompletionClaim, ...] = ()
    seen: tuple[PictureDescription, ...] = ()
    unread_characters: int = 0
    """Characters of messages that took too long to be read to their end."""
