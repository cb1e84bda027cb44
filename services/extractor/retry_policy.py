"""Retry policy: the next step after a failed attempt. No I/O, no clock."""

from dataclasses import dataclass
from datetime import timedelta

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.error_classification import get_error_reason
from palimpsest_server.models.model_errors import ModelNotAvailable, UnusableAnswer

BACKOFF = Backoff(first_seconds=5.0, maximum_seconds=600.0)
"""Waits between attempts: with eight attempts a provider may be away for ten minutes before a
request is dead-lettered.
"""

ATTEMPTS_AT_AN_ANSWER = 3
"""The most attempts at a question that the model fails to answer usably. Each includes one repair,
and costs tokens.
"""

LONGEST_WAIT_SECONDS = 86_400.0
"""The longest wait that a provider may ask for: it may be mistaken."""


class AttemptsExhausted(PermanentError):
    """The request failed in its last allowed attempt."""

    reason = "attempts_exhausted"


@dataclass(frozen=True)
class RetryLater:
    after: timedelta
    tried: bool = True
    """False if the provider was not asked, so that no attempt is counted."""


@dataclass(frozen=True)
class AbandonRequest:
    error: Exception


def decide_after_failure(
    error: Exception, *, attempt: int, maximum_attempts: int
) -> RetryLater | AbandonRequest:
    """Decide the next step after attempt number `attempt`, counted from 1, failed with this error.

    A permanent error is given up at once. Any other is tried again, not before the provider allows
    it: a model may answer at the second attempt. If the provider must not be asked now, no attempt
    is counted.
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
    """Return whether a fallback provider takes over, if there is one."""
    return isinstance(next_step, AbandonRequest) or (
        isinstance(error, ModelNotAvailable) and error.may_last
    )
