"""The protocol of a forgetting policy."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from palimpsest_server.domain.forgetting.retention_state import RetentionState


class ForgettingVerdict(StrEnum):
    KEPT = "kept"
    FADED = "faded"
    """The memory stays, with less importance."""
    FORGOTTEN = "forgotten"


@dataclass(frozen=True)
class ForgettingDecision:
    verdict: ForgettingVerdict
    reason: str = ""
    """Reason for people, in the history."""
    importance: float | None = None
    """New importance of a faded memory."""


KEPT = ForgettingDecision(ForgettingVerdict.KEPT)


class ForgettingRule(Protocol):
    def judge(self, standing: RetentionState) -> ForgettingDecision:
        """Judge a memory that neither a lifetime nor a pin protects."""
        ...

    def may_compress(self, standing: RetentionState) -> bool:
        """Return whether the memory may be compressed together with others."""
        ...
