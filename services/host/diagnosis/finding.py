"""What one check found."""

from enum import StrEnum

from palimpsest.domain.model import Value


class State(StrEnum):
    WELL = "well"
    DOUBTFUL = "doubtful"
    """Works, or may be meant; worth knowing."""
    ILL = "ill"
    """Keeps something from working."""


class Finding(Value):
    subject: str
    state: State
    words: str
    advice: str | None = None
    """What to do about it, where something is to be done."""


def well(subject: str, words: str) -> Finding:
    return Finding(subject=subject, state=State.WELL, words=words)


def doubtful(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject=subject, state=State.DOUBTFUL, words=words, advice=advice)


def ill(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject=subject, state=State.ILL, words=words, advice=advice)
