"""What recurs does so at the same time of its zone's day, over daylight saving too."""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.model.todo import Todo, TodoRecurrence
from palimpsest_server.domain.todos.recurrence import (
    advance,
    build_recurrence,
    check_rule,
    check_start,
    compute_reminder,
    find_latest,
    find_next,
)
from tests.support.server.domain.consolidation.samples import ALICE

BERLIN = "Europe/Berlin"


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


def recurring(
    rule: str, due_at: datetime, *, lead: timedelta = timedelta(hours=1)
) -> TodoRecurrence:
    found = build_recurrence(rule, due_at=due_at, remind_at=due_at - lead, time_zone=BERLIN)
    assert found is not None
    return found


def test_nine_in_the_morning_stays_nine_over_daylight_saving() -> None:
    daily = recurring("FREQ=DAILY", utc(2026, 3, 27, 8))
    found, moment = [], utc(2026, 3, 27, 8)
    for _ in range(3):
        following = find_next(daily, moment)
        assert following is not None
        found.append(moment := following)
    # The clocks go forward on the 29th.
    assert found == [utc(2026, 3, 28, 8), utc(2026, 3, 29, 7), utc(2026, 3, 30, 7)]
    assert compute_reminder(daily, found[1]) == utc(2026, 3, 29, 6)


def test_a_time_that_the_clock_leaves_out_is_passed_on_and_does_not_stay_so() -> None:
    nightly = recurring("FREQ=DAILY", utc(2026, 3, 28, 1, 30))
    assert find_next(nightly, utc(2026, 3, 28, 1, 30)) == utc(2026, 3, 29, 1, 30)
    assert find_next(nightly, utc(2026, 3, 29, 1, 30)) == utc(2026, 3, 30, 0, 30)


def test_a_time_that_comes_twice_is_one_occurrence() -> None:
    nightly = recurring("FREQ=DAILY", utc(2026, 10, 24, 0, 30))
    first = find_next(nightly, utc(2026, 10, 24, 0, 30))
    assert first == utc(2026, 10, 25, 0, 30)
    assert find_next(nightly, first) == utc(2026, 10, 26, 1, 30)
    assert find_next(nightly, first + timedelta(minutes=30)) == utc(2026, 10, 26, 1, 30)


@pytest.mark.parametrize(
    ("rule", "after", "expected"),
    [
        ("FREQ=WEEKLY;BYDAY=MO,TH", utc(2026, 1, 5, 9), utc(2026, 1, 8, 8)),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", utc(2026, 2, 1), utc(2026, 2, 28, 8)),
        ("FREQ=WEEKLY;INTERVAL=2", utc(2026, 1, 5, 9), utc(2026, 1, 19, 8)),
        ("FREQ=DAILY;COUNT=2", utc(2026, 1, 6, 8), None),
        ("FREQ=DAILY;UNTIL=20260106T235900Z", utc(2026, 1, 6, 8), None),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", utc(2096, 3, 1), utc(2104, 2, 29, 8)),
    ],
)
def test_the_next_occurrence_follows_the_rule(
    rule: str, after: datetime, expected: datetime | None
) -> None:
    assert find_next(recurring(rule, utc(2026, 1, 5, 8)), after) == expected


def test_the_latest_occurrence_is_the_one_that_is_on() -> None:
    daily = recurring("FREQ=DAILY", utc(2026, 1, 5, 8))
    assert find_latest(daily, utc(2026, 1, 9, 7)) == utc(2026, 1, 8, 8)
    assert find_latest(daily, utc(2026, 1, 5, 7)) is None


@pytest.mark.parametrize(
    "rule",
    [
        "every day",
        "FREQ=SECONDLY",
        "FREQ=DAILY;BYDAY=XX",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31;COUNT=3",
        "FREQ=DAILY\nDTSTART:20260101",
        "",
    ],
)
def test_what_is_no_rule_or_never_holds_is_refused(rule: str) -> None:
    with pytest.raises(ValueError, match="rule"):
        check_rule(rule)
    assert build_recurrence(rule, due_at=utc(2026, 1, 5), remind_at=None, time_zone="UTC") is None


@pytest.mark.parametrize(
    "rule",
    ["FREQ=MONTHLY;INTERVAL=12;BYMONTH=2", "FREQ=DAILY;INTERVAL=7;BYDAY=TU"],
)
def test_a_rule_that_never_holds_from_its_start_on_recurs_not_at_all(rule: str) -> None:
    monday_in_january = utc(2026, 1, 5)
    check_rule(rule)
    assert build_recurrence(rule, due_at=monday_in_january, remind_at=None, time_zone="UTC") is None


@pytest.mark.parametrize("year", [1000, 2019, 2201, 9998])
def test_a_rule_begins_in_years_whose_occurrences_can_be_counted(year: int) -> None:
    start = utc(year, 6, 1)
    with pytest.raises(ValueError, match="the years 2020 to 2200"):
        check_start(start)
    assert build_recurrence("FREQ=HOURLY", due_at=start, remind_at=None, time_zone="UTC") is None


def test_the_29th_of_february_is_a_rule() -> None:
    rule = "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"
    check_rule(rule)
    assert find_next(recurring(rule, utc(2026, 1, 5, 8)), utc(2097, 1, 1)) == utc(2104, 2, 29, 8)


def test_a_todo_is_passed_on_with_its_reminder_until_the_last_occurrence() -> None:
    due = utc(2026, 1, 5, 8)
    todo = Todo(
        id="t",
        scope=ALICE,
        content="water the plants",
        due_at=due,
        remind_at=due - timedelta(hours=1),
        recurrence=recurring("FREQ=DAILY;COUNT=2", due),
        created_at=due,
        epoch=0,
    )
    second = advance(todo, due)
    assert second is not None
    assert (second.due_at, second.remind_at) == (utc(2026, 1, 6, 8), utc(2026, 1, 6, 7))
    assert second.version == todo.version + 1
    assert advance(second, utc(2026, 1, 6, 8)) is None
