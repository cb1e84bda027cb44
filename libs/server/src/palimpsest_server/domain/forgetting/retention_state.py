"""The state of a memory at a moment: everything that a forgetting policy may use."""

from dataclasses import dataclass
from datetime import datetime

from palimpsest.model.memory import Accesses, Memory

DAY_SECONDS = 24 * 60 * 60


@dataclass(frozen=True)
class RetentionState:
    memory: Memory
    accesses: Accesses
    now: datetime

    @property
    def importance(self) -> float:
        return self.memory.importance

    @property
    def count(self) -> int:
        """Number of recalls."""
        return self.accesses.count

    @property
    def last_used_at(self) -> datetime:
        """Moment of the last recall, else of recording.

        The time of recording counts, not that of saying: imported history is new to its importer.
        """
        recorded_at = self.memory.recorded_at
        last_at = self.accesses.last_at
        return recorded_at if last_at is None else max(recorded_at, last_at)

    @property
    def idle_days(self) -> float:
        """Days of disuse, with fractions; never negative."""
        return max((self.now - self.last_used_at).total_seconds() / DAY_SECONDS, 0.0)
