"""A circuit breaker and a pause: when a server is to be left alone. No I/O, no clock.

Written here because the libraries for it that know asyncio keep their own time,
let any number of calls through when they try again, or are no longer kept up.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class BreakerState(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    TRYING = "trying"
    """One call is under way that tells whether the server is back."""


@dataclass(frozen=True, kw_only=True)
class BreakerSettings:
    failures: int
    """So many in a row open it."""
    open_seconds: float

    @property
    def open_for(self) -> timedelta:
        return timedelta(seconds=self.open_seconds)


class CircuitBreaker:
    def __init__(self, times: BreakerSettings) -> None:
        self._times = times
        self._failures = 0
        self._closed_from: datetime | None = None
        """Set while it is open: when the next call may try."""
        self._trying = False
        self._paused_until: datetime | None = None

    @property
    def state(self) -> BreakerState:
        if self._closed_from is None:
            return BreakerState.CLOSED
        return BreakerState.TRYING if self._trying else BreakerState.OPEN

    def pause(self, now: datetime) -> timedelta | None:
        """Return the rest of a pause; None without one."""
        if self._paused_until is None or now >= self._paused_until:
            return None
        return self._paused_until - now

    def wait(self, now: datetime) -> timedelta | None:
        """Return how long a broken server is left alone; None if a call may begin."""
        if self._closed_from is None:
            return None
        if self._trying:
            return self._times.open_for
        return self._closed_from - now if now < self._closed_from else None

    def begin(self) -> bool:
        """A call begins, which `pause` and `wait` allowed; whether it tries if the server is back."""
        self._trying = self._closed_from is not None
        return self._trying

    def succeeded(self) -> None:
        """The server answered, whatever it said."""
        self._failures = 0
        self._closed_from = None
        self._trying = False

    def failed(self, now: datetime, *, trying: bool) -> None:
        """The server did not answer a call, or not as a working server does."""
        self._failures += 1
        if trying or self._failures >= self._times.failures:
            self._closed_from = now + self._times.open_for
        self.ended(trying=trying)

    def ended(self, *, trying: bool) -> None:
        """A call is over, and may have told nothing of the server."""
        if trying:
            self._trying = False

    def pause_until(self, until: datetime) -> None:
        """Leave the server alone until then, though nothing is broken."""
        self._paused_until = max(until, self._paused_until or until)
