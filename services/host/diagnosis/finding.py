"""The finding of one check."""

from enum import StrEnum

from palimpsest.model.value_types import Value


class FindingState(StrEnum):
    WELL = "well"
    DOUBTFUL = "doubtful"
    """Works, or may be meant; worth knowing."""
    ILL = "ill"
    """Keeps something from working."""


class Finding(Value):
    subject: str
    state: FindingState
    words: str
    advice: str | None = None
    """What to do about it, where something is to be done."""


def report_ok(subject: str, words: str) -> Finding:
    return Finding(subject=subject, state=FindingState.WELL, words=words)


def report_doubt(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject=subject, state=FindingState.DOUBTFUL, words=words, advice=advice)


def report_failure(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject=subject, state=FindingState.ILL, words=words, advice=advice)
