"""The last finished revision of each user, as far as this process may rely on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.model.clock import Clock

FINISHED_REVISION_LIFETIME = timedelta(seconds=5)
"""How long a revision is relied on after its user was last read or written. In less time no other
process takes a user over and gives it back. If one did, the unique revision would refuse the stale
write.
"""

_REVISIONS_BETWEEN_CHECKPOINTS = 64


@dataclass
class _Line:
    revision: int
    at: datetime
    checkpoint: int


class FinishedRevisions:
    """Revisions up to which all change sets of a user are finished. Only an optimisation. No I/O."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lines: dict[str, _Line] = {}

    def unknown(self, user_ids: Iterable[str]) -> list[str]:
        now = self._clock()
        self._lines = {
            user_id: line
            for user_id, line in self._lines.items()
            if timedelta() <= now - line.at < FINISHED_REVISION_LIFETIME
        }
        return [user_id for user_id in dict.fromkeys(user_ids) if user_id not in self._lines]

    def revisions(self, user_ids: Iterable[str]) -> dict[str, int]:
        return {user_id: self._lines[user_id].revision for user_id in user_ids}

    def stand_at(self, revisions: Mapping[str, int]) -> None:
        now = self._clock()
        for user_id, revision in revisions.items():
            line = self._lines.setdefault(user_id, _Line(revision, now, 0))
            line.revision, line.at = revision, now

    def forget(self, user_ids: Iterable[str]) -> None:
        for user_id in user_ids:
            self._lines.pop(user_id, None)

    def due_checkpoints(self) -> dict[str, int]:
        """Return the revisions to store as checkpoints: of users with many changes since the last one."""
        due = {
            user_id: line
            for user_id, line in self._lines.items()
            if line.revision - line.checkpoint >= _REVISIONS_BETWEEN_CHECKPOINTS
        }
        for line in due.values():
            line.checkpoint = line.revision
        return {user_id: line.revision for user_id, line in due.items()}
