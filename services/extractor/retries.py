"""What happens to a request whose attempt failed. No I/O, no clock."""

from dataclasses import dataclass
from datetime import timedelta

from palimpsest.delivery.failures import reason_of
from palimpsest.delivery.waiting import Backoff
from palimpsest.domain.errors import PermanentError, TransientError
from palimpsest.providers.models.failures import NotNow, UnusableAnswer

BACKOFF = Backoff(first_seconds=5.0, maximum_seconds=600.0)
"""With eight attempts a provider may be away for ten minutes before anything is set aside."""

ATTEMPTS_AT_AN_ANSWER = 3
"""A model that cannot answer this is asked so often, each time with one repair: it costs tokens."""

LONGEST_WAIT_SECONDS = 86_400.0
"""However long a provider asks to be left alone: it may be mistaken."""


class AttemptsExhausted(PermanentError):
    """A request that failed as often as it may be tried."""

    reason = "attempts_exhausted"


@dataclass(frozen=True)
class TryAgain:
    after: timedelta
    tried: bool = True
    """Whether this was an attempt at all."""


@dataclass(frozen=True)
class GiveUp:
    error: Exception


def after_failure(error: Exception, *, attempt: int, maximum_attempts: int) -> TryAgain | GiveUp:
    """What comes after the `attempt`-th attempt, counted from 1, ended in this error.

    What is permanently wrong is given up at once. Anything else is tried again,
    not before the provider wants it: a model may well answer the second time
    what it could not the first. Where the provider is not to be asked now,
    this was no attempt.
    """
    if isinstance(error, PermanentError):
        return GiveUp(error)
    if isinstance(error, NotNow):
        wait = min(error.retry_after_seconds or BACKOFF.first_seconds, LONGEST_WAIT_SECONDS)
        return TryAgain(timedelta(seconds=wait), tried=False)
    if isinstance(error, UnusableAnswer):
        maximum_attempts = min(maximum_attempts, ATTEMPTS_AT_AN_ANSWER)
    if attempt >= maximum_attempts:
        return GiveUp(
            AttemptsExhausted(f"failed {attempt} times, the last time as {reason_of(error)}")
        )
    asked = error.retry_after_seconds if isinstance(error, TransientError) else None
    return TryAgain(timedelta(seconds=BACKOFF.delay(attempt, asked)))


def calls_for_fallback(error: Exception, next_step: TryAgain | GiveUp) -> bool:
    """Whether another provider, where there is one, is to do it in this one's place."""
    return isinstance(next_step, GiveUp) or (isinstance(error, NotNow) and error.may_last)
