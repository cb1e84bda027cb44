"""What comes after a failed attempt."""

from datetime import timedelta

import pytest

from palimpsest.model.errors import RecordNotFound, TransientError
from palimpsest_server.models.model_errors import (
    BreakerOpen,
    BudgetExhausted,
    BudgetOwner,
    ModelNotAuthorised,
    ModelServerError,
    RateLimited,
    WrongAnswerLanguage,
)
from services.extractor.retry_policy import (
    AbandonRequest,
    AttemptsExhausted,
    RetryLater,
    decide_after_failure,
    is_fallback_needed,
)


@pytest.mark.parametrize(
    ("attempt", "seconds"), [(1, 5), (2, 10), (3, 20), (4, 40), (5, 80), (6, 160), (7, 320)]
)
def test_each_failure_waits_twice_as_long(attempt: int, seconds: int) -> None:
    after = decide_after_failure(RuntimeError(), attempt=attempt, maximum_attempts=8)
    assert after == RetryLater(timedelta(seconds=seconds))


def test_a_provider_may_ask_for_more_time_and_not_for_less() -> None:
    busy, quick = (TransientError("", retry_after_seconds=each) for each in (90, 1))
    assert decide_after_failure(busy, attempt=1, maximum_attempts=8) == RetryLater(
        timedelta(seconds=90)
    )
    assert decide_after_failure(quick, attempt=1, maximum_attempts=8) == RetryLater(
        timedelta(seconds=5)
    )


def test_nobody_waits_longer_than_ten_minutes() -> None:
    far = TransientError("", retry_after_seconds=86_400)
    assert decide_after_failure(far, attempt=1, maximum_attempts=8) == RetryLater(
        timedelta(minutes=10)
    )


def test_after_the_last_attempt_it_is_given_up_and_says_why() -> None:
    after = decide_after_failure(TransientError("away"), attempt=8, maximum_attempts=8)
    assert isinstance(after, AbandonRequest)
    assert isinstance(after.error, AttemptsExhausted)
    assert str(after.error) == "failed 8 times, the last time as transient"


def test_what_is_permanently_wrong_is_given_up_at_once() -> None:
    error = RecordNotFound("gone")
    assert decide_after_failure(error, attempt=1, maximum_attempts=8) == AbandonRequest(error)


def test_where_nobody_may_be_asked_now_this_was_no_attempt() -> None:
    busy = RateLimited("", retry_after_seconds=900)
    after = decide_after_failure(busy, attempt=8, maximum_attempts=8)
    assert after == RetryLater(timedelta(seconds=900), tried=False)


def test_nobody_is_left_alone_for_more_than_a_day() -> None:
    mistaken = RateLimited("", retry_after_seconds=1e9)
    after = decide_after_failure(mistaken, attempt=1, maximum_attempts=8)
    assert after == RetryLater(timedelta(days=1), tried=False)


def test_a_model_that_cannot_answer_this_is_asked_three_times() -> None:
    flaw = WrongAnswerLanguage("", remedy="")
    assert isinstance(decide_after_failure(flaw, attempt=2, maximum_attempts=8), RetryLater)
    after = decide_after_failure(flaw, attempt=3, maximum_attempts=8)
    assert isinstance(after, AbandonRequest)
    assert str(after.error) == "failed 3 times, the last time as wrong_language"


@pytest.mark.parametrize(
    ("error", "attempt", "stands_in"),
    [
        (BudgetExhausted(BudgetOwner.USER, retry_after_seconds=1), 1, True),
        (BreakerOpen("", retry_after_seconds=1), 1, True),
        (ModelNotAuthorised("", retry_after_seconds=1), 1, True),
        (RateLimited("", retry_after_seconds=1), 1, False),
        (ModelServerError(""), 7, False),
        (ModelServerError(""), 8, True),
        (RecordNotFound(""), 1, True),
    ],
)
def test_another_provider_stands_in_for_one_that_is_away_or_has_failed_for_good(
    error: Exception, attempt: int, *, stands_in: bool
) -> None:
    after = decide_after_failure(error, attempt=attempt, maximum_attempts=8)
    assert is_fallback_needed(error, after) is stands_in
