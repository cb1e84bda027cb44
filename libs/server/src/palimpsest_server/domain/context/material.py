"""What a prompt's block is made of, before any format has written it down."""

from datetime import date, datetime
from typing import NamedTuple

from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language


class ContextItem(NamedTuple):
    """A memory, or something that was said."""

    number: int
    """Under which it is cited, from 1."""
    content: str
    summary: str | None = None
    """Of a memory."""
    kind: Kind | None = None
    """Of a memory; None for what was said."""
    speaker: str | None = None
    on: date | None = None
    """When it was said or happened, where the user lives."""
    at: datetime | None = None
    """The same to the second: what was said on one day stands in its order."""
    until: date | None = None
    """Of what no longer holds: the day from which on it does not."""
    conflicts: tuple[int, ...] = ()
    """The numbers of items that say otherwise."""


class EarlierConversation(NamedTuple):
    """What an earlier conversation was about."""

    on: date
    text: str


class PromptPersona(NamedTuple):
    name: str = ""
    personality: str = ""


class ContextMaterial(NamedTuple):
    language: Language
    profile: str = ""
    talks: tuple[EarlierConversation, ...] = ()
    """The latest first."""
    items: tuple[ContextItem, ...] = ()
    """The best first."""
    running: str = ""
    """What the conversation that goes on was about so far; only for a format that says it."""
    persona: PromptPersona = PromptPersona()
    system_prompt: str = ""
    """The chat service's own."""
    citations: bool = False
    withheld: bool = False
    """Whether more is known than fits here: then a format does not say that nothing is."""


class WrittenContext(NamedTuple):
    block: str
    """What memory says; empty where it has nothing to say and the format says nothing then."""
    before: str
    """The system prompt up to the block, and from its end on."""
    after: str
