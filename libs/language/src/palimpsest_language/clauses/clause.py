"""A stretch of a message that says one thing, and the sentence that it stands in."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Clause:
    text: str
    """Verbatim, without the marks around it."""
    sentence: str
    """Verbatim."""
    start: int
    """Where the text begins in the sentence; in characters."""
    asks: bool = False
    """It ends in a question mark."""
    opens: bool = True
    """It is the first of its sentence."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)
