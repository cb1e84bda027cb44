"""A part of a message that says one thing, and its sentence."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Clause:
    text: str
    """The words, verbatim, without the marks around them."""
    sentence: str
    """The whole sentence, verbatim."""
    start: int
    """The position of the text in the sentence, in characters."""
    asks: bool = False
    """True if it ends in a question mark."""
    opens: bool = True
    """True for the first clause of a sentence."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)
