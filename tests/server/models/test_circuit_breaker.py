"""When a server is left alone, and when it is tried again."""

from datetime import UTC, datetime, timedelta

from palimpsest_server.models.circuit_breaker import BreakerSettings, BreakerState, CircuitBreaker

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
TIMES = BreakerSettings(failures=3, open_seconds=30)


def opened() -> CircuitBreaker:
    breaker = CircuitBreaker(TIMES)
    for _ in range(3):
        breaker.failed(NOW, trying=breaker.begin())
    return breaker


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def test_failures_in_a_row_open_it_and_others_do_not() -> None:
    breaker = CircuitBreaker(TIMES)
    for _ in range(5):
        breaker.failed(NOW, trying=breaker.begin())
        breaker.failed(NOW, trying=breaker.begin())
        breaker.succeeded()
    assert breaker.wait(NOW) is None
    assert opened().wait(NOW) == timedelta(seconds=30)
    assert opened().state is BreakerState.OPEN


def test_one_call_tries_and_the_others_wait_for_it() -> None:
    breaker = opened()
    assert breaker.wait(after(29)) == timedelta(seconds=1)
    assert breaker.wait(after(30)) is None
    assert breaker.begin()
    assert breaker.state is BreakerState.TRYING
    assert breaker.wait(after(31)) == timedelta(seconds=30)


def test_a_trial_that_succeeds_closes_it() -> None:
    breaker = opened()
    breaker.begin()
    breaker.succeeded()
    assert breaker.state is BreakerState.CLOSED
    assert breaker.wait(after(30)) is None


def test_a_trial_that_fails_opens_it_again_for_as_long() -> None:
    breaker = opened()
    breaker.failed(after(30), trying=breaker.begin())
    assert breaker.wait(after(31)) == timedelta(seconds=29)


def test_a_trial_that_was_given_up_leaves_room_for_another() -> None:
    breaker = opened()
    breaker.ended(trying=breaker.begin())
    assert breaker.wait(after(30)) is None


def test_a_call_from_before_does_not_end_the_trial() -> None:
    breaker = CircuitBreaker(TIMES)
    early = breaker.begin()
    for _ in range(3):
        breaker.failed(NOW, trying=False)
    breaker.begin()
    breaker.ended(trying=early)
    assert breaker.state is BreakerState.TRYING


def test_a_pause_holds_until_its_end_and_the_longest_counts() -> None:
    breaker = CircuitBreaker(TIMES)
    breaker.pause_until(after(60))
    breaker.pause_until(after(20))
    assert breaker.pause(after(59)) == timedelta(seconds=1)
    assert breaker.pause(after(60)) is None


def test_a_pause_mends_nothing() -> None:
    breaker = opened()
    breaker.pause_until(after(10))
    assert breaker.state is BreakerState.OPEN
