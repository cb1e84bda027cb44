"""What happens to a request whose attempt failed. No I/O, no clock."""

from dataclasses import dataclass
from datetime import timedelta

from palimpsest.delivery.failures import reason_of
from palimpsest.delivery.waiting import Backoff
from palimpsest.domain.errors import PermanentError, TransientError

BACKOFF = Backoff(first_seconds=5.0, maximum_seconds=600.0)
"""With eight attempts a provider may be away for ten minutes before anything is set aside."""


class AttemptsExhausted(PermanentError):
    """A request that failed as often as it may be tried."""

    reason = "attempts_exhausted"


@dataclass(frozen=True)
class TryAgain:
    after: timedelta


@dataclass(frozen=True)
class GiveUp:
    error: Exception


def after_failure(error: Exception, *, attempt: int, maximum_attempts: int) -> TryAgain | GiveUp:
    """What comes after the `attempt`-th attempt, counted from 1, ended in this error.

    What is permanently wrong is given up at once. Anything else is tried again,
    not before the provider wants it: a model may well answer the second time
    what it could not the first.
    """
    if isinstance(error, PermanentError):
        return GiveUp(error)
    if attempt >= maximum_attempts:
        return GiveUp(
            AttemptsExhausted(f"failed {attempt} times, the last time as {reason_of(error)}")
        )
    asked = error.retry_after_seconds if isinstance(error, TransientError) else None
    return TryAgain(timedelta(seconds=BACKOFF.delay(attempt, asked)))
