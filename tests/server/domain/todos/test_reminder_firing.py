"""What becomes of a reminder that is due, by the clock, the quiet hours and the rule."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palimpsest.model.todo import Todo
from palimpsest.model.user import QuietHours, UserSettings
from palimpsest_server.domain.todos.recurrence import build_recurrence
from palimpsest_server.domain.todos.reminder_firing import (
    find_quiet_end,
    fire_reminder,
    is_late,
    write_reminder,
)
from tests.support.server.domain.consolidation.samples import ALICE

NINE = datetime(2026, 1, 5, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
PLAIN = UserSettings()


def to_do(rule: str | None = None, **fields: Any) -> Todo:
    recurrence = rule and build_recurrence(
        rule, due_at=NINE + HOUR, remind_at=NINE, time_zone="UTC"
    )
    return Todo.model_validate(
        {
            "id": "t",
            "scope": ALICE,
            "content": "call Bo",
            "due_at": NINE + HOUR,
            "remind_at": NINE,
            "recurrence": recurrence,
            "created_at": NINE - DAY,
            "epoch": 0,
            **fields,
        }
    )


def quiet(begins: str, ends: str, zone: str = "UTC") -> UserSettings:
    return UserSettings(quiet_hours=QuietHours(begins=begins, ends=ends), time_zone=zone)


def test_a_reminder_is_given_once_whatever_the_clock_says_then() -> None:
    for moment in (NINE, NINE + DAY, NINE - HOUR):
        fired = fire_reminder(to_do(), moment, PLAIN)
        assert not fired.is_to_be_reminded
        assert fired.reminded_at == max(moment, NINE)
        assert fired.version == 2


def test_a_reminder_that_comes_more_than_a_minute_later_is_late() -> None:
    todo = to_do()
    assert not is_late(todo, fire_reminder(todo, NINE + timedelta(seconds=59), PLAIN))
    assert is_late(todo, fire_reminder(todo, NINE + timedelta(seconds=61), PLAIN))
    assert not is_late(todo, fire_reminder(todo, NINE - HOUR, PLAIN))


def test_what_recurs_is_reminded_of_again_and_once_for_all_that_was_missed() -> None:
    daily = to_do("FREQ=DAILY")
    first = fire_reminder(daily, NINE, PLAIN)
    assert (first.due_at, first.remind_at) == (NINE + HOUR, NINE + DAY)
    assert first.is_to_be_reminded
    late = fire_reminder(first, NINE + 4 * DAY + 2 * HOUR, PLAIN)
    assert (late.due_at, late.remind_at) == (NINE + HOUR + 4 * DAY, NINE + 5 * DAY)
    assert is_late(first, late)


def test_after_its_last_occurrence_nobody_is_reminded() -> None:
    last = fire_reminder(to_do("FREQ=DAILY;COUNT=1"), NINE, PLAIN)
    assert not last.is_to_be_reminded


@pytest.mark.parametrize(
    ("begins", "ends", "zone", "moment", "until"),
    [
        ("22:00", "07:00", "UTC", (5, 23, 0), (6, 7, 0)),
        ("22:00", "07:00", "UTC", (6, 6, 59), (6, 7, 0)),
        ("12:00", "14:00", "UTC", (5, 12, 0), (5, 14, 0)),
        ("22:00", "07:00", "Asia/Shanghai", (5, 15, 0), (5, 23, 0)),
        ("22:00", "07:00", "UTC", (5, 7, 0), None),
        ("22:00", "07:00", "UTC", (5, 21, 59), None),
        ("09:00", "09:00", "UTC", (5, 9, 0), None),
    ],
)
def test_quiet_hours_are_those_of_the_users_clock(
    begins: str,
    ends: str,
    zone: str,
    moment: tuple[int, int, int],
    until: tuple[int, int, int] | None,
) -> None:
    found = find_quiet_end(datetime(2026, 1, *moment, tzinfo=UTC), quiet(begins, ends, zone))
    assert found == (until and datetime(2026, 1, *until, tzinfo=UTC))


def test_in_quiet_hours_a_reminder_is_put_off_and_is_not_late_then() -> None:
    put_off = fire_reminder(to_do(), NINE, quiet("08:00", "10:30"))
    assert put_off.reminded_at is None
    assert put_off.remind_at == NINE + 1.5 * HOUR
    assert not is_late(put_off, fire_reminder(put_off, NINE + 1.5 * HOUR, PLAIN))


def test_the_words_are_in_the_language_of_the_todo() -> None:
    assert write_reminder(to_do(), "UTC")[1] == "Reminder: call Bo"
    assert write_reminder(to_do(content="给小波打电话"), "UTC")[1] == "提醒：给小波打电话"
