"""Restart budget: how many ends are allowed before restarting is given up."""

import time
from collections import deque
from collections.abc import Callable

WITHIN_SECONDS = 600.0


class RestartBudget:
    """Allows a number of restarts within a time. More ends have a cause that restarts do not cure."""

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
        """Count one end, and return whether another restart is allowed."""
        now = self._now()
        self._ends.append(now)
        while self._ends[0] < now - self._within_seconds:
            self._ends.popleft()
        return len(self._ends) <= self._restarts
