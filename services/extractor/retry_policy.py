"""Retry policy: what happens to a request whose attempt failed. No I/O, no clock."""

from dataclasses import dataclass
from datetime import timedelta

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.error_classification import get_error_reason
from palimpsest_server.models.model_errors import ModelNotAvailable, UnusableAnswer

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
class RetryLater:
    after: timedelta
    tried: bool = True
    """Whether this was an attempt at all."""


@dataclass(frozen=True)
class AbandonRequest:
    error: Exception


def decide_after_failure(
    error: Exception, *, attempt: int, maximum_attempts: int
) -> RetryLater | AbandonRequest:
    """Decide the next step after the `attempt`-th attempt, counted from 1, ended in this error.

    What is permanently wrong is given up at once. Anything else is tried again,
    not before the provider wants it: a model may well answer the second time
    what it could not the first. Where the provider is not to be asked now,
    this was no attempt.
    """
    if isinstance(error, PermanentError):
        return AbandonRequest(error)
    if isinstance(error, ModelNotAvailable):
        wait = min(error.retry_after_seconds or BACKOFF.first_seconds, LONGEST_WAIT_SECONDS)
        return RetryLater(timedelta(seconds=wait), tried=False)
    if isinstance(error, UnusableAnswer):
        maximum_attempts = min(maximum_attempts, ATTEMPTS_AT_AN_ANSWER)
    if attempt >= maximum_attempts:
        return AbandonRequest(
            AttemptsExhausted(f"failed {attempt} times, the last time as {get_error_reason(error)}")
        )
    asked = error.retry_after_seconds if isinstance(error, TransientError) else None
    return RetryLater(timedelta(seconds=BACKOFF.delay(attempt, asked)))


def is_fallback_needed(error: Exception, next_step: RetryLater | AbandonRequest) -> bool:
    """Return whether another provider, if there is one, takes over."""
    return isinstance(next_step, AbandonRequest) or (
        isinstance(error, ModelNotAvailable) and error.may_last
    )
