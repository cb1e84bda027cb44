"""When something is due and when somebody is reminded of it, as a table of what people say."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo, TodoState
from palimpsest_language.time_expressions.finder import find_times
from palimpsest_server.domain.todos.due_time import (
    DueTime,
    is_overdue,
    read_due_time,
    read_stated_due_time,
)
from palimpsest_server.domain.todos.reminders import compute_reminder_time, parse_reminder_request

SHANGHAI = "Asia/Shanghai"
WEDNESDAY_MORNING = datetime(2026, 3, 4, 10, 0, tzinfo=ZoneInfo(SHANGHAI))
"""When everything here is said."""

NEVER = None


def said(words: str, zone: str = SHANGHAI) -> tuple[DueTime | None, datetime | None]:
    expressions = find_times(words, said_at=WEDNESDAY_MORNING, time_zone=zone)
    time = expressions[0] if expressions else None
    data = {} if time is None else {"time": time.model_dump(mode="json", exclude={"start"})}
    falls_due = read_due_time(data, time_zone=zone)
    wished = parse_reminder_request(words, time_words=time.words if time else None)
    return falls_due, compute_reminder_time(
        falls_due, wished, noted_at=WEDNESDAY_MORNING, time_zone=zone
    )


def local(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(SHANGHAI))


@pytest.mark.parametrize(
    ("words", "due_at", "all_day", "reminded_at"),
    [
        # An hour before, where nothing else is said.
        ("I have to call the bank tomorrow at 9", "2026-03-05 09:00", False, "2026-03-05 08:00"),
        ("我明天早上九点要交报告", "2026-03-05 09:00", False, "2026-03-05 08:00"),
        ("finish the report by Friday 5pm", "2026-03-06 17:00", False, "2026-03-06 16:00"),
        ("今天下午三点前把合同寄出", "2026-03-04 15:00", False, "2026-03-04 14:00"),
        # What is due within the hour: at once.
        ("我十点半要交报告", "2026-03-04 10:30", False, "2026-03-04 10:00"),
        ("I have to leave in 20 minutes", "2026-03-04 10:20", False, "2026-03-04 10:00"),
        # All day: at nine, of the last day where it is a span.
        ("周五前完成报告", "2026-03-06 00:00", True, "2026-03-06 09:00"),
        ("finish the report by Friday", "2026-03-06 00:00", True, "2026-03-06 09:00"),
        ("3月20日交房租", "2026-03-20 00:00", True, "2026-03-20 09:00"),
        ("pay the rent on March 20", "2026-03-20 00:00", True, "2026-03-20 09:00"),
        ("这周要体检", "2026-03-08 00:00", True, "2026-03-08 09:00"),
        ("see a doctor this week", "2026-03-08 00:00", True, "2026-03-08 09:00"),
        # Nine is over today, the day is not.
        ("今天要交房租", "2026-03-04 00:00", True, "2026-03-04 10:00"),
        ("I must pay the rent today", "2026-03-04 00:00", True, "2026-03-04 10:00"),
        # Said otherwise.
        ("提前两小时提醒我明天下午三点的面试", "2026-03-05 15:00", False, "2026-03-05 13:00"),
        ("明天下午三点面试，提前半小时提醒我", "2026-03-05 15:00", False, "2026-03-05 14:30"),
        ("明天下午三点面试，提前一个半小时提醒", "2026-03-05 15:00", False, "2026-03-05 13:30"),
        ("明天下午三点面试，提前一刻钟叫我", "2026-03-05 15:00", False, "2026-03-05 14:45"),
        ("3月20日交房租，提前一天提醒我", "2026-03-20 00:00", True, "2026-03-19 09:00"),
        (
            "remind me 30 minutes before the interview tomorrow at 3pm",
            "2026-03-05 15:00",
            False,
            "2026-03-05 14:30",
        ),
        (
            "interview tomorrow at 3pm, tell me half an hour before",
            "2026-03-05 15:00",
            False,
            "2026-03-05 14:30",
        ),
        ("pay the rent on March 20, remind me two days ahead", "2026-03-20 00:00", True, "2026-03-18 09:00"),
        # The time is that of the reminder itself.
        ("明天早上九点提醒我交报告", "2026-03-05 09:00", False, "2026-03-05 09:00"),
        ("remind me tomorrow at 9 to call the bank", "2026-03-05 09:00", False, "2026-03-05 09:00"),
        ("remind me to call the bank tomorrow at 9", "2026-03-05 09:00", False, "2026-03-05 09:00"),
        # It is the meeting that is at nine.
        ("提醒我明天早上九点开会", "2026-03-05 09:00", False, "2026-03-05 08:00"),
        ("remind me of the meeting tomorrow at 9", "2026-03-05 09:00", False, "2026-03-05 08:00"),
        # Nobody.
        ("明天早上九点开会，不用提醒", "2026-03-05 09:00", False, NEVER),
        ("meeting tomorrow at 9, no need to remind me", "2026-03-05 09:00", False, NEVER),
        ("the report was due yesterday", "2026-03-03 00:00", True, NEVER),
        ("昨天该交报告了", "2026-03-03 00:00", True, NEVER),
    ],
)  # fmt: skip
def test_what_is_said_says_when_it_is_due_and_when_to_remind(
    words: str, due_at: str, all_day: bool, reminded_at: str | None
) -> None:
    falls_due, reminder = said(words)
    assert falls_due is not None
    assert (falls_due.at, falls_due.all_day) == (local(due_at), all_day)
    assert reminder == local(reminded_at)


@pytest.mark.parametrize("words", ["buy milk", "买牛奶", "I should read more", "要多运动"])
def test_what_has_no_time_is_never_due_and_nobody_is_reminded(words: str) -> None:
    assert said(words) == (None, None)


def test_a_day_begins_in_the_zone_of_its_user() -> None:
    _, in_shanghai = said("finish the report by Friday")
    _, in_new_york = said("finish the report by Friday", "America/New_York")
    assert in_shanghai is not None
    assert in_new_york is not None
    assert in_new_york - in_shanghai == timedelta(hours=13)


@pytest.mark.parametrize("time", ["tomorrow", 7, {}, {"words": "soon"}, {"starts_at": "never"}])
def test_free_data_that_is_no_time_is_no_due_date(time: object) -> None:
    assert read_due_time({"time": time}, time_zone=SHANGHAI) is None


@pytest.mark.parametrize(
    ("due_at", "all_day", "asked_at", "late"),
    [
        ("2026-03-04 15:00", False, "2026-03-04 14:59", False),
        ("2026-03-04 15:00", False, "2026-03-04 15:00", True),
        # Of a day: until it is over where the user is.
        ("2026-03-04 00:00", True, "2026-03-04 23:59", False),
        ("2026-03-04 00:00", True, "2026-03-05 00:00", True),
        (NEVER, False, "2036-03-04 00:00", False),
    ],
)
def test_what_is_due_is_overdue_once_its_moment_or_its_day_is_over(
    due_at: str | None, all_day: bool, asked_at: str, late: bool
) -> None:
    now = local(asked_at)
    assert now is not None
    todo = Todo(
        id="t",
        scope=Scope(user_id="ann"),
        content="交房租",
        due_at=local(due_at),
        all_day=all_day,
        created_at=WEDNESDAY_MORNING,
        epoch=0,
    )
    assert is_overdue(todo, time_zone=SHANGHAI, now=now) is late
    done = todo.model_copy(update={"state": TodoState.DONE})
    assert not is_overdue(done, time_zone=SHANGHAI, now=now)


@pytest.mark.parametrize(
    ("words", "due_at"),
    [
        # A day that is gone is of something else that was told.
        ("water the plants, last week I forgot", None),
        ("I have to pay the rent; I moved to Seattle last month", None),
        ("提醒我给花浇水，上周我忘了", None),
        ("我得带它去打疫苗了，上次打还是去年十一月", None),
        # Unless it is said to be late.
        ("I still have to hand in the report, it was due yesterday", "2026-03-03 00:00"),
        ("the rent is overdue since yesterday", "2026-03-03 00:00"),
        ("报告昨天就该交了，我还没交", "2026-03-03 00:00"),
        ("房租逾期了，昨天到期的", "2026-03-03 00:00"),
        # The day itself is not gone.
        ("I had to call at 9 today", "2026-03-04 09:00"),
        ("今天早上九点要打电话", "2026-03-04 09:00"),
        ("pay the rent by Friday", "2026-03-06 00:00"),
        ("周五前交房租", "2026-03-06 00:00"),
    ],
)
def test_nothing_was_due_before_it_was_said(words: str, due_at: str | None) -> None:
    expressions = find_times(words, said_at=WEDNESDAY_MORNING, time_zone=SHANGHAI)
    data = {"time": expressions[0].model_dump(mode="json", exclude={"start"})}
    falls_due = read_stated_due_time(
        data, words=words, said_at=WEDNESDAY_MORNING, time_zone=SHANGHAI
    )
    assert (falls_due.at if falls_due else None) == local(due_at)
