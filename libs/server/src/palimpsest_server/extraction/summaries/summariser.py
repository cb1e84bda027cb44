"""The summariser of conversations: a language model, or rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from palimpsest.model.turn import Turn
from palimpsest.model.user import Language
from palimpsest.model.value_types import Value
from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.proposals import Proposal


@dataclass(frozen=True, kw_only=True)
class SessionTranscript:
    """The part of a session to be summarised, and what the summary takes into account."""

    turns: Sequence[Turn]
    published: str | None = None
    """The chat service's own summary of the session."""
    topic: str | None = None
    """The topic that the session began with."""
    left_out: tuple[str, ...] = ()
    """Turns left out, because memories resting on them were forgotten or corrected."""
    aware_of: int = 0
    """Revision of the last erasure that was known before the turns were read."""


class SummaryInput(Value):
    """A whole session, ready to be summarised."""

    conversation: ExtractionRequest
    """All messages of the session, all of them fresh."""
    published: str | None = None
    """The chat service's own summary of the session."""


class SummaryAnswer(Value):
    text: str
    topics: tuple[str, ...]
    user_intent: str | None
    emotional_tone: str | None
    unresolved: str | None
    key_facts: tuple[Proposal, ...]
    """Facts with their evidence; the caller drops facts without sound evidence."""
    proposes_facts: bool
    """True if the facts may be new. Rules find the same facts in the session as in its windows;
    proposing them again would bring back facts that were forgotten or completed since."""
    language: Language


class Summariser(Protocol):
    @property
    def name(self) -> str: ...

    async def summarise(self, asked: SummaryInput) -> SummaryAnswer | None:
        """Return the summary of a conversation; None if it was about nothing.

        Raises:
            TransientError: it may succeed later, not before `retry_after_seconds`.
            PermanentError: it will fail every time.
        """
        ...
