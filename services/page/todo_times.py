"""Times of todos: in which group each is shown, until when it is snoozed, and rules in words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from palimpsest.model.todo import Todo, TodoState

MORNING = time(9)
"""The time of day at which a todo comes back that was put off by days."""


class TodoGroup(StrEnum):
    """Groups of todos, in their order; each has words under `todos.group_…`."""

    OVERDUE = "overdue"
    TODAY = "today"
    LATER = "later"
    ANY_TIME = "any_time"
    DONE = "done"


class Snooze(StrEnum):
    HOUR = "hour"
    TOMORROW = "tomorrow"
    WEEK = "week"


def group_todos(
    todos: Iterable[Todo], *, now: datetime, time_zone: str
) -> Mapping[TodoGroup, Sequence[Todo]]:
    """Group todos by when they are due; within a group the earliest due comes first."""
    groups: dict[TodoGroup, list[Todo]] = {group: [] for group in TodoGroup}
    for todo in sorted(todos, key=_earliest_first):
        groups[find_group(todo, now=now, time_zone=time_zone)].append(todo)
    return {group: members for group, members in groups.items() if members}


def find_group(todo: Todo, *, now: datetime, time_zone: str) -> TodoGroup:
    """Return the group of a todo. One that is due on a day is overdue once that day is over."""
    if todo.state is TodoState.DONE:
        return TodoGroup.DONE
    if todo.due_at is None:
        return TodoGroup.ANY_TIME
    zone = ZoneInfo(time_zone)
    due_day, today = todo.due_at.astimezone(zone).date(), now.astimezone(zone).date()
    if due_day < today or (todo.due_at < now and not todo.all_day):
        return TodoGroup.OVERDUE
    return TodoGroup.TODAY if due_day == today else TodoGroup.LATER


def find_snooze_end(snooze: Snooze, *, now: datetime, time_zone: str) -> datetime:
    """Return until when a todo is put off."""
    if snooze is Snooze.HOUR:
        return now + timedelta(hours=1)
    zone = ZoneInfo(time_zone)
    days = 1 if snooze is Snooze.TOMORROW else 7
    day = now.astimezone(zone).date() + timedelta(days=days)
    return datetime.combine(day, MORNING, zone)


def describe_rule(rule: str, word: Callable[..., str]) -> str:
    """Return a rule of recurrence in words; one that has none stays as it is written."""
    fields = dict(part.split("=", 1) for part in rule.upper().split(";") if "=" in part)
    frequency = fields.pop("FREQ", "").lower()
    interval = fields.pop("INTERVAL", "1")
    days = fields.pop("BYDAY", "")
    if frequency not in {"daily", "weekly", "monthly", "yearly"} or fields.keys() - {"BYHOUR"}:
        return rule
    if days and (frequency != "weekly" or any(day not in _DAYS for day in days.split(","))):
        return rule
    every = word(f"todos.every_{frequency}" if interval == "1" else f"todos.every_{frequency}_n")
    written = every.format(count=interval)
    if days == "MO,TU,WE,TH,FR":
        return word("todos.every_workday")
    if not days:
        return written
    names = [word(f"todos.day_{day.lower()}") for day in days.split(",")]
    return word("todos.every_on", every=written, days=word("todos.day_joint").join(names))


_DAYS = frozenset({"MO", "TU", "WE", "TH", "FR", "SA", "SU"})


def _earliest_first(todo: Todo) -> tuple[bool, datetime]:
    return (todo.due_at is None, todo.due_at or todo.created_at)
