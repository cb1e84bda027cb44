"""The words that may support a proposal, each with its time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from palimpsest_language.time_expressions.sentence_times import UtteranceTime


@dataclass(frozen=True)
class SourceText:
    text: str
    said: UtteranceTime


@dataclass(frozen=True)
class SourceWords:
    cited: Sequence[SourceText]
    """The cited messages as a whole, and a model's words on their pictures."""
    answered: Sequence[SourceText] = ()
    """The messages right before them: the answered question, the accepted statement."""
    earlier: Sequence[SourceText] = ()
    """All earlier messages of the window, where "she" and "there" were named."""
    names: Sequence[str] = ()
    """The names of speakers, participants and their agents."""

    @cached_property
    def near(self) -> tuple[SourceText, ...]:
        """The texts that may support numbers and dates."""
        return (*self.cited, *self.answered)

    @cached_property
    def near_text(self) -> str:
        return "\n".join(source.text for source in self.near).casefold()

    @cached_property
    def text(self) -> str:
        """All texts and names, which may support names."""
        texts = [source.text for source in (*self.near, *self.earlier)]
        return "\n".join((*texts, *self.names)).casefold()
