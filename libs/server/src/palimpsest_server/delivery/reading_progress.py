"""Reading progress: detects a consumer that stands still before unread records."""

import time
from collections.abc import Callable

STALLED_SECONDS = 20.0
"""A consumer whose next record waits for this many seconds, with no batch in hand, is stuck.

Idle consumers fetch every few seconds at the latest."""


class ReadingProgress:
    """Follows one consumer by measurements taken at intervals."""

    def __init__(
        self,
        *,
        stalled_seconds: float = STALLED_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stalled_seconds = stalled_seconds
        self._now = now
        self._position = -1
        self._unread_since: float | None = None

    def note(self, *, lag: int, position: int, is_busy: bool) -> None:
        """Note a measurement.

        Args:
            lag: records of its partitions that were not read.
            position: the sum of the next offsets of its partitions.
            is_busy: whether a batch is in hand, which the consumer has to finish first.
        """
        moved, self._position = position != self._position, position
        if not lag or is_busy:
            self._unread_since = None
        elif moved or self._unread_since is None:
            self._unread_since = self._now()

    def restart(self) -> None:
        """Forget all measurements, because another consumer takes the place of the followed one."""
        self._unread_since = None

    @property
    def unread_seconds(self) -> float:
        """Return for how long a record has waited to be read, at least; 0 if none waits."""
        return 0.0 if self._unread_since is None else self._now() - self._unread_since

    @property
    def is_stalled(self) -> bool:
        return self.unread_seconds > self._stalled_seconds
