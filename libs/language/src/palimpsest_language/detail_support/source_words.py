"""The words that a proposal may draw on, and the moment at which each was said."""

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
    """The messages that a proposal cites, whole, and what a model saw on their pictures."""
    answered: Sequence[SourceText] = ()
    """Right before them: the question that was answered, the statement that was agreed to."""
    earlier: Sequence[SourceText] = ()
    """All that was said before in the window: whoever is called she or there was named in it."""
    names: Sequence[str] = ()
    """The names of the speakers, the participants and their agents."""

    @cached_property
    def near(self) -> tuple[SourceText, ...]:
        """The texts from which numbers and dates may come."""
        return (*self.cited, *self.answered)

    @cached_property
    def near_text(self) -> str:
        return "\n".join(source.text for source in self.near).casefold()

    @cached_property
    def text(self) -> str:
        """All texts and names, from which names may come."""
        texts = [source.text for source in (*self.near, *self.earlier)]
        return "\n".join((*texts, *self.names)).casefold()
