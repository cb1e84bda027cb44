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
    """What the chat service itself says that it is about."""
    topic: str | None = None
    """The topic that the session was begun with."""
    left_out: tuple[str, ...] = ()
    """Turns that are not among them, for what was remembered of them was forgotten or set right."""
    aware_of: int = 0
    """The revision of the last erasure that was known before they were read."""


class SummaryInput(Value):
    """A whole session, ready to be understood."""

    conversation: ExtractionRequest
    """All its messages, all of them fresh."""
    published: str | None = None
    """What the chat service itself says that it is about."""


class SummaryAnswer(Value):
    text: str
    topics: tuple[str, ...]
    user_intent: str | None
    emotional_tone: str | None
    unresolved: str | None
    key_facts: tuple[Proposal, ...]
    """With what they rest on; what has no sound evidence is dropped by whoever asked."""
    proposes_facts: bool
    """Whether they may be news. Rules find in the whole what they had found in its windows: to
    propose that again would bring back what was forgotten or done since."""
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
