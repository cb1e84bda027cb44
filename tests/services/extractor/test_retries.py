"""What comes after a failed attempt."""

from datetime import timedelta

import pytest

from palimpsest.domain.errors import NotFound, TransientError
from services.extractor.retries import AttemptsExhausted, GiveUp, TryAgain, after_failure


@pytest.mark.parametrize(
    ("attempt", "seconds"), [(1, 5), (2, 10), (3, 20), (4, 40), (5, 80), (6, 160), (7, 320)]
)
def test_each_failure_waits_twice_as_long(attempt: int, seconds: int) -> None:
    after = after_failure(RuntimeError(), attempt=attempt, maximum_attempts=8)
    assert after == TryAgain(timedelta(seconds=seconds))


def test_a_provider_may_ask_for_more_time_and_not_for_less() -> None:
    busy, quick = (TransientError("", retry_after_seconds=each) for each in (90, 1))
    assert after_failure(busy, attempt=1, maximum_attempts=8) == TryAgain(timedelta(seconds=90))
    assert after_failure(quick, attempt=1, maximum_attempts=8) == TryAgain(timedelta(seconds=5))


def test_nobody_waits_longer_than_ten_minutes() -> None:
    far = TransientError("", retry_after_seconds=86_400)
    assert after_failure(far, attempt=1, maximum_attempts=8) == TryAgain(timedelta(minutes=10))


def test_after_the_last_attempt_it_is_given_up_and_says_why() -> None:
    after = after_failure(TransientError("away"), attempt=8, maximum_attempts=8)
    assert isinstance(after, GiveUp)
    assert isinstance(after.error, AttemptsExhausted)
    assert str(after.error) == "failed 8 times, the last time as transient"


def test_what_is_permanently_wrong_is_given_up_at_once() -> None:
    error = NotFound("gone")
    assert after_failure(error, attempt=1, maximum_attempts=8) == GiveUp(error)
