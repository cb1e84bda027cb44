"""A circuit breaker and a pause: when to leave a server alone. No I/O, no clock.

Written here because the libraries for asyncio read the time themselves, let
any number of calls through when they try again, or are no longer maintained.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class BreakerState(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    TRYING = "trying"
    """One call is under way to find out whether the server is back."""


@dataclass(frozen=True, kw_only=True)
class BreakerSettings:
    failures: int
    """Number of failures in a row that open the breaker."""
    open_seconds: float

    @property
    def open_for(self) -> timedelta:
        return timedelta(seconds=self.open_seconds)


class CircuitBreaker:
    def __init__(self, times: BreakerSettings) -> None:
        self._times = times
        self._failures = 0
        self._closed_from: datetime | None = None
        """Time from which the next call may try; None while the breaker is closed."""
        self._trying = False
        self._paused_until: datetime | None = None

    @property
    def state(self) -> BreakerState:
        if self._closed_from is None:
            return BreakerState.CLOSED
        return BreakerState.TRYING if self._trying else BreakerState.OPEN

    def pause(self, now: datetime) -> timedelta | None:
        """Return the remaining pause; None without a pause."""
        if self._paused_until is None or now >= self._paused_until:
            return None
        return self._paused_until - now

    def wait(self, now: datetime) -> timedelta | None:
        """Return the time for which a failing server is left alone; None if a call may begin."""
        if self._closed_from is None:
            return None
        if self._trying:
            return self._times.open_for
        return self._closed_from - now if now < self._closed_from else None

    def begin(self) -> bool:
        """Begin a call that `pause` and `wait` allowed; return whether it tests if the server is back."""
        self._trying = self._closed_from is not None
        return self._trying

    def succeeded(self) -> None:
        """Note that the server answered, whatever the answer."""
        self._failures = 0
        self._closed_from = None
        self._trying = False

    def failed(self, now: datetime, *, trying: bool) -> None:
        """Note that the server did not answer a call, or not as a working server does."""
        self._failures += 1
        if trying or self._failures >= self._times.failures:
            self._closed_from = now + self._times.open_for
        self.ended(trying=trying)

    def ended(self, *, trying: bool) -> None:
        """Note the end of a call, which may have told nothing about the server."""
        if trying:
            self._trying = False

    def pause_until(self, until: datetime) -> None:
        """Leave the server alone until this time, although it works."""
        self._paused_until = max(until, self._paused_until or until)
