"""What a forgetting policy is asked, and what it may answer."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from palimpsest.domain.forgetting.standing import Standing


class Verdict(StrEnum):
    KEPT = "kept"
    FADED = "faded"
    """It stays, and matters less than it did."""
    FORGOTTEN = "forgotten"


@dataclass(frozen=True)
class Judgement:
    verdict: Verdict
    reason: str = ""
    """For people, in the history."""
    importance: float | None = None
    """What is left of it, where it has faded."""


KEPT = Judgement(Verdict.KEPT)


class Forgetting(Protocol):
    def judge(self, standing: Standing) -> Judgement:
        """What becomes of a memory that no lifetime and no pin protects."""
        ...

    def may_compress(self, standing: Standing) -> bool:
        """Whether it may go into something shorter together with others."""
        ...
