"""The verdicts that feedback may give on a memory."""

from enum import StrEnum


class FeedbackVerdict(StrEnum):
    HELPFUL = "helpful"
    WRONG = "wrong"
    OUTDATED = "outdated"
