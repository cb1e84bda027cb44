"""The finding of one check."""

from enum import StrEnum

from palimpsest.model.value_types import Value


class FindingState(StrEnum):
    WELL = "well"
    DOUBTFUL = "doubtful"
    """It works or may be intended, but is worth knowing."""
    ILL = "ill"
    """It keeps something from working."""


class Finding(Value):
    subject: str
    state: FindingState
    words: str
    advice: str | None = None
    """A remedy, if there is one."""


def report_ok(subject: str, words: str) -> Finding:
    return Finding(subject=subject, state=FindingState.WELL, words=words)


def report_doubt(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject=subject, state=FindingState.DOUBTFUL, words=words, advice=advice)


def report_failure(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject=subject, state=FindingState.ILL, words=words, advice=advice)
