"""Compute when a todo is due from the times in its words."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from palimpsest.model.memory_times import StatedTime, read_stated_time
from palimpsest.model.todo import Todo, TodoState
from palimpsest_language.time_expressions.expression import Granularity

_LEAST = timedelta(milliseconds=1)
_OVERDUE = re.compile(
    r"\b(?:overdue|past due|(?:was|were) (?:due|supposed)|should have|missed|behind (?:on|with|schedule)"
    r"|(?:already|too|days?|weeks?|months?|am|is|are|'s|'m|'re) late)\b"
    r"|逾期|过期|超期|过了(?:截止|期限|日子)|(?:早|就|本|本来|原本)就?要|该(?=[交还付缴寄发办做完续取给回去打])|拖[到了]|[晚迟]了|错过|欠",
    re.IGNORECASE,
)
"""Words for an overdue todo of a past day, such as 该交."""
_USUAL_HOURS = {6: 9, 11: 12}
"""Usual hours of a morning and of a noon, by the hour at which they begin."""


class DueTime(NamedTuple):
    at: datetime
    """Moment at which it is due; for a whole day its first moment in the user's zone."""
    all_day: bool
    over_at: datetime
    """Moment from which it is overdue."""


def read_due_time(data: Mapping[str, Any], *, time_zone: str) -> DueTime | None:
    """Return when a memory is due by its `data.time`; None if that has no usable time."""
    return compute_due_time(read_stated_time(data), time_zone=time_zone)


def compute_due_time(time: StatedTime | None, *, time_zone: str) -> DueTime | None:
    """Return when a todo with this time is due.

    | words | due |
    | --- | --- |
    | at 9, in two hours, from 3 to 5 | when it begins |
    | by 5 pm | then |
    | on Friday morning, at noon-time, in the evening | 09:00, 12:00, when it begins |
    | on Friday, by Friday | that day |
    | this week, in March | its last day |
    """
    if time is None:
        return None
    zone = ZoneInfo(time_zone)
    if not time.all_day:
        at = time.starts_at or time.ends_at
        if time.granularity == Granularity.DAY and time.starts_at and time.ends_at:
            return DueTime(_in_part(time.starts_at, zone), all_day=False, over_at=time.ends_at)
        return None if at is None else DueTime(at, all_day=False, over_at=at)
    if time.ends_at is None:
        return None if time.starts_at is None else _day(time.starts_at, zone)
    return _day(time.ends_at - _LEAST, zone)


def is_overdue(todo: Todo, *, time_zone: str, now: datetime) -> bool:
    """Return whether a todo is open and overdue; a todo due on a day is overdue after that day."""
    if todo.state is not TodoState.OPEN or todo.due_at is None:
        return False
    over_at = _day(todo.due_at, ZoneInfo(time_zone)).over_at if todo.all_day else todo.due_at
    return over_at <= now


def read_stated_due_time(
    data: Mapping[str, Any], *, words: str, said_at: datetime, time_zone: str
) -> DueTime | None:
    """Return when a todo is due by its `data`, said at `said_at` in these words."""
    time = read_stated_time(data)
    return compute_stated_due_time(time, words=words, said_at=said_at, time_zone=time_zone)


def compute_stated_due_time(
    time: StatedTime | None, *, words: str, said_at: datetime, time_zone: str
) -> DueTime | None:
    """Return when a todo is due that was said at `said_at` in these words.

    A day that was over by then belongs to something else in the message, unless the words say that the
    todo is overdue.
    """
    found = compute_due_time(time, time_zone=time_zone)
    if time is not None and not time.words:
        return found  # The time was given as data, not in words.
    if found is None or _OVERDUE.search(words.replace("’", "'")):
        return found
    today = _day(said_at, ZoneInfo(time_zone))
    return found if found.over_at > today.at else None


def _in_part(begins: datetime, zone: ZoneInfo) -> datetime:
    """Return the usual hour of a part of a day: a morning begins at six, but nobody means six."""
    local = begins.astimezone(zone)
    hour = _USUAL_HOURS.get(local.hour, local.hour)
    return local.replace(hour=hour).astimezone(begins.tzinfo)


def _day(moment: datetime, zone: ZoneInfo) -> DueTime:
    begins = moment.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    # By the calendar, because a day may have 23 hours.
    return DueTime(begins, all_day=True, over_at=begins + timedelta(days=1))
