"""Restart budget: how often something may end before starting it again is given up."""

import time
from collections import deque
from collections.abc import Callable

WITHIN_SECONDS = 600.0


class RestartBudget:
    """Allows so many restarts within a time; what ends more often has a trouble that they do not mend."""

    def __init__(
        self,
        restarts: int,
        *,
        within_seconds: float = WITHIN_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._restarts = restarts
        self._within_seconds = within_seconds
        self._now = now
        self._ends: deque[float] = deque()

    def spend(self) -> bool:
        """Count one more end, and tell whether another restart is allowed."""
        now = self._now()
        self._ends.append(now)
        while self._ends[0] < now - self._within_seconds:
            self._ends.popleft()
        return len(self._ends) <= self._restarts
