"""What recurs does so at the same time of its zone's day, over daylight saving too."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palimpsest.model.todo import Todo, TodoRecurrence
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.todos import recurrence
from palimpsest_server.domain.todos.recurrence import (
    advance,
    build_recurrence,
    check_recurrence,
    check_rule,
    check_start,
    compute_reminder,
    find_latest,
    find_next,
)
from palimpsest_server.domain.todos.reminder_firing import fire_reminder
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


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=HOURLY;BYMINUTE=" + ",".join(map(str, range(30))),
        "FREQ=DAILY;BYHOUR=8,9,10,11,12,13,14,15;BYMINUTE=" + ",".join(map(str, range(20))),
    ],
)
def test_a_rule_that_holds_nearly_always_is_refused(rule: str) -> None:
    with pytest.raises(ValueError, match="more than 144 times a day"):
        check_rule(rule)
    check_rule("FREQ=HOURLY;BYMINUTE=0,10,20,30,40,50")


@pytest.mark.parametrize(
    "changes",
    [
        {"rule": "FREQ=SECONDLY"},
        {"rule": "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"},
        {"rule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"},
        {"rule": "FREQ=HOURLY;INTERVAL=2;BYHOUR=10;COUNT=5"},
        {"rule": "x" * 5_000},
        {"starts_at": utc(1990, 1, 1)},
        {"time_zone": "Nowhere/At all"},
        {"time_zone": "../etc/passwd"},
        {"time_zone": "America"},
        {"lead_seconds": 10**18},
        {"lead_seconds": 10**9},
    ],
)
def test_a_recurrence_that_cannot_be_counted_is_none(changes: dict[str, object]) -> None:
    sound = recurring("FREQ=DAILY", utc(2026, 3, 27, 8))
    forged = sound.model_copy(update=changes)
    todo = Todo(
        id="t",
        scope=ALICE,
        content="rent",
        created_at=utc(2026, 3, 1),
        epoch=0,
        due_at=utc(2026, 3, 27, 8),
        remind_at=utc(2026, 3, 27, 7),
        recurrence=forged,
    )
    with pytest.raises((ValueError, OverflowError)):
        check_recurrence(forged)
    assert advance(todo, utc(2026, 3, 27, 9)) is None
    fired = fire_reminder(todo, utc(2026, 3, 28, 9), UserSettings())
    assert (fired.reminded_at, fired.due_at) == (utc(2026, 3, 28, 9), todo.due_at)
    assert not fired.is_to_be_reminded


@pytest.mark.parametrize(
    ("rule", "latest", "following"),
    [
        ("FREQ=HOURLY", (2199, 3, 1, 12), (2199, 3, 1, 13)),
        ("FREQ=HOURLY;INTERVAL=7", (2199, 3, 1, 9), (2199, 3, 1, 16)),
        ("FREQ=DAILY;INTERVAL=3;BYHOUR=5,17", (2199, 2, 27, 17), (2199, 3, 2, 5)),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", (2199, 2, 22, 0), (2199, 3, 4, 0)),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29", (2196, 2, 29, 0), (2204, 2, 29, 0)),
    ],
)
def test_occurrences_are_counted_from_shortly_before_the_moment_that_is_asked_for(
    rule: str, latest: tuple[int, ...], following: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = build_recurrence(rule, due_at=utc(2024, 1, 1), remind_at=None, time_zone="UTC")
    assert long_ago is not None
    asked, starts, count = utc(2199, 3, 1, 12), list[datetime](), recurrence._occurrences

    def note_start(rule: str, start: datetime, until: datetime) -> Any:
        starts.append(start)
        return count(rule, start, until)

    monkeypatch.setattr(recurrence, "_occurrences", note_start)
    assert find_next(long_ago, asked) == utc(*following)
    assert starts[0].replace(tzinfo=UTC) > asked - timedelta(days=14)
    assert find_latest(long_ago, asked) == utc(*latest)
    assert find_next(long_ago, utc(9000, 1, 1)) is None
