"""The protocol of a forgetting policy."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from palimpsest_server.domain.forgetting.retention_state import RetentionState


class ForgettingVerdict(StrEnum):
    KEPT = "kept"
    FADED = "faded"
    """It stays, and matters less than it did."""
    FORGOTTEN = "forgotten"


@dataclass(frozen=True)
class ForgettingDecision:
    verdict: ForgettingVerdict
    reason: str = ""
    """For people, in the history."""
    importance: float | None = None
    """What is left of it, where it has faded."""


KEPT = ForgettingDecision(ForgettingVerdict.KEPT)


class ForgettingRule(Protocol):
    def judge(self, standing: RetentionState) -> ForgettingDecision:
        """Judge a memory that no lifetime and no pin protects."""
        ...

    def may_compress(self, standing: RetentionState) -> bool:
        """Return whether it may be compressed together with others."""
        ...
