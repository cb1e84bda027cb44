"""Reading progress: tells a consumer that gets on from one that stands still before unread records."""

import time
from collections.abc import Callable

STALLED_SECONDS = 20.0
"""A consumer whose next record waits for so long, with no batch in hand, does not read any more.

Idle consumers look every few seconds at the latest.
"""


class ReadingProgress:
    """Follows one consumer by what is measured of it now and then."""

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
        """Take down a measurement.

        Args:
            lag: records of its partitions that were not read.
            position: the sum of the next offsets of its partitions.
            is_busy: whether a batch is in hand, which it has to finish first.
        """
        moved, self._position = position != self._position, position
        if not lag or is_busy:
            self._unread_since = None
        elif moved or self._unread_since is None:
            self._unread_since = self._now()

    def restart(self) -> None:
        """Forget what was measured: another consumer takes the place of the followed one."""
        self._unread_since = None

    @property
    def unread_seconds(self) -> float:
        """For how long a record has been waiting to be read, at least; 0 where none waits."""
        return 0.0 if self._unread_since is None else self._now() - self._unread_since

    @property
    def is_stalled(self) -> bool:
        return self.unread_seconds > self._stalled_seconds
