"""Times of todos: groups, snoozing over days of the visitor, rules in words."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo, TodoState
from palimpsest.model.user import Language
from services.page.todo_times import (
    Snooze,
    TodoGroup,
    describe_rule,
    find_group,
    find_snooze_end,
    group_todos,
)
from services.page.translations import load_words

NOW = datetime(2026, 3, 2, 22, 30, tzinfo=UTC)
SHANGHAI = "Asia/Shanghai"
"""There it is the morning of 3 March."""


def todo(name: str = "t", due_at: datetime | None = None, *, all_day: bool = False) -> Todo:
    return Todo(
        id=name,
        scope=Scope(user_id="ann"),
        content=name,
        due_at=due_at,
        all_day=all_day,
        created_at=NOW,
        epoch=0,
    )


@pytest.mark.parametrize(
    ("hours", "all_day", "time_zone", "group"),
    [
        (-1, False, "UTC", TodoGroup.OVERDUE),
        (-20, True, "UTC", TodoGroup.TODAY),
        (-20, True, SHANGHAI, TodoGroup.OVERDUE),
        (1, False, "UTC", TodoGroup.TODAY),
        (2, False, "UTC", TodoGroup.LATER),
        (2, False, SHANGHAI, TodoGroup.TODAY),
    ],
)
def test_a_todo_is_overdue_by_its_day_where_the_visitor_is(
    hours: int, all_day: bool, time_zone: str, group: TodoGroup
) -> None:
    due = todo(due_at=NOW + timedelta(hours=hours), all_day=all_day)
    assert find_group(due, now=NOW, time_zone=time_zone) is group


def test_groups_come_in_their_order_and_the_earliest_first_without_empty_ones() -> None:
    late, soon = todo("late", NOW - timedelta(days=3)), todo("soon", NOW - timedelta(days=1))
    done = todo("done").model_copy(update={"state": TodoState.DONE})
    groups = group_todos([done, soon, todo("free"), late], now=NOW, time_zone="UTC")
    assert {group: [row.id for row in rows] for group, rows in groups.items()} == {
        TodoGroup.OVERDUE: ["late", "soon"],
        TodoGroup.ANY_TIME: ["free"],
        TodoGroup.DONE: ["done"],
    }
    assert list(groups) == [TodoGroup.OVERDUE, TodoGroup.ANY_TIME, TodoGroup.DONE]


def test_a_todo_that_is_put_off_by_days_comes_back_in_the_visitors_morning() -> None:
    end = partial(find_snooze_end, now=NOW, time_zone=SHANGHAI)
    assert end(Snooze.HOUR) == NOW + timedelta(hours=1)
    assert end(Snooze.TOMORROW) == datetime(2026, 3, 4, 1, tzinfo=UTC)
    assert end(Snooze.WEEK) == datetime(2026, 3, 10, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("rule", "english", "chinese"),
    [
        ("FREQ=DAILY", "every day", "每天"),
        ("FREQ=WEEKLY;BYDAY=MO,TH", "every week on Monday, Thursday", "每周一、四"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every workday", "每个工作日"),
        ("FREQ=MONTHLY;INTERVAL=3", "every 3 months", "每 3 个月"),
        ("FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO"),
        ("FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3"),
    ],
)
def test_a_rule_is_told_in_words_and_one_without_words_as_it_is_written(
    rule: str, english: str, chinese: str
) -> None:
    for language, words in ((Language.ENGLISH, english), (Language.CHINESE, chinese)):
        table = load_words(language)

        def word(key: str, table: dict[str, str] = dict(table), **values: object) -> str:  # noqa: B006
            return table[key].format(**values) if values else table[key]

        assert describe_rule(rule, word) == words
