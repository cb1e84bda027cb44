"""Times at which a todo recurs: by its rule (RFC 5545), at the same time of day in its zone. Pure.

Occurrences are counted in wall-clock time, so that nine in the morning stays nine over daylight
saving. A time that a clock skips becomes the moment that follows it.
"""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from palimpsest.model.todo import Todo, TodoRecurrence

HORIZON = timedelta(days=9 * 366)
"""Longest time to the next occurrence of any rule: the 29th of February skips eight years."""

FIRST_START, LAST_START = 2020, 2200
"""Years in which a recurrence may begin, because its occurrences are counted one by one from there."""

MOST_TIMES_A_DAY = 144
"""The most times of one day: every ten minutes."""

_STEPS = {"HOURLY": timedelta(hours=1), "DAILY": timedelta(days=1), "WEEKLY": timedelta(weeks=1)}

_LOOKBACKS = (timedelta(days=30), timedelta(days=800), timedelta.max)
"""The last occurrence is sought in these times before a moment, and then from the start."""

_CALENDAR_CYCLE = 400
"""Years after which the calendar repeats its weekdays."""

_LAST_LEAP_YEARS = datetime(9988, 1, 1)  # noqa: DTZ001 - wall-clock time
"""The search for a rule that never holds ends with the year 9999, so it is short from here."""

_RULE = re.compile(
    r"FREQ=(?:HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)"
    r"(?:;(?:INTERVAL=[1-9]\d{0,2}|COUNT=[1-9]\d{0,2}|UNTIL=\d{8}(?:T\d{6}Z?)?|WKST=(?:MO|TU|WE|TH|FR|SA|SU)"
    r"|(?:BYDAY|BYMONTHDAY|BYMONTH|BYHOUR|BYMINUTE|BYSETPOS)=[A-Z0-9,+-]{1,100}))*"
)


def check_rule(rule: str) -> None:
    """Check that a rule recurs, from a fitting start on.

    Raises:
        ValueError: it is no such rule, or it never holds.
    """
    if not _RULE.fullmatch(rule):
        raise ValueError("not a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO,TH")
    if _count_times_of_day(rule) > MOST_TIMES_A_DAY:
        raise ValueError(f"the rule holds more than {MOST_TIMES_A_DAY} times a day")
    try:
        holds = _ever_holds(re.sub(r";INTERVAL=[^;]*", "", rule), _LAST_LEAP_YEARS)
    except TypeError:
        # Of an hour or minute that no day has.
        raise ValueError("the rule can't be read") from None
    except ValueError as error:
        raise ValueError(f"the rule can't be read: {error}") from None
    if not holds:
        raise ValueError("the rule never holds")


def _read_fields(rule: str) -> dict[str, str]:
    return dict(part.split("=", 1) for part in rule.split(";"))


def _count_times_of_day(rule: str) -> int:
    fields = _read_fields(rule)
    hours = 24 if fields["FREQ"] == "HOURLY" else 1
    if "BYHOUR" in fields:
        hours = len(fields["BYHOUR"].split(","))
    return hours * len(fields.get("BYMINUTE", "0").split(","))


def check_start(start: datetime) -> None:
    """Check that a recurrence may begin at this moment.

    Raises:
        ValueError: the moment is too early or too late.
    """
    if not FIRST_START <= start.year <= LAST_START:
        raise ValueError(f"what recurs begins in the years {FIRST_START} to {LAST_START}")


def check_recurrence(recurrence: TodoRecurrence) -> None:
    """Check a recurrence that came with an import: its rule, start, zone and reminder.

    Raises:
        ValueError: it is none that `build_recurrence` makes.
    """
    try:
        first = _to_wall(recurrence, recurrence.starts_at)
    except (KeyError, OSError) as error:
        raise ValueError("the time zone is not known") from error
    check_rule(recurrence.rule)
    check_start(first)
    if abs(timedelta(seconds=recurrence.lead_seconds)) > HORIZON:
        raise ValueError("the reminder lies too far from what it reminds of")
    if not _holds_from(recurrence.rule, first):
        raise ValueError("the rule never holds from its start on")


def find_sound_recurrence(todo: Todo) -> TodoRecurrence | None:
    """Return the recurrence of a todo; None if it has none, or one that cannot be counted.

    Occurrences are counted one by one, so a rule that never holds, or holds each second, would keep
    everybody waiting. Such a todo is done once.
    """
    recurrence = todo.recurrence
    return recurrence if recurrence is not None and _is_sound(recurrence) else None


@lru_cache(maxsize=1_024)
def _is_sound(recurrence: TodoRecurrence) -> bool:
    try:
        check_recurrence(recurrence)
    except (ValueError, OverflowError):
        return False
    return True


def find_next(recurrence: TodoRecurrence, after: datetime) -> datetime | None:
    """Return the first occurrence later than this moment; None if there is none."""
    wall = _to_wall(recurrence, after)
    if wall.year > LAST_START + HORIZON.days // 365:
        return None
    found = _rule(recurrence, wall).after(wall)
    moment = None if found is None else _to_moment(recurrence, found)
    if moment is not None and moment <= after:
        # In an hour that a clock repeats, its time is ambiguous.
        again = _rule(recurrence, found).after(found)
        return None if again is None else _to_moment(recurrence, again)
    return moment


def find_latest(recurrence: TodoRecurrence, until: datetime) -> datetime | None:
    """Return the last occurrence up to this moment; None if there was none."""
    wall = _to_wall(recurrence, until)
    for back in _LOOKBACKS:
        found = _rule(recurrence, wall, back).before(wall, inc=True)
        if found is not None:
            return _to_moment(recurrence, found)
    return None


def compute_reminder(recurrence: TodoRecurrence, occurrence: datetime) -> datetime:
    """Return when to remind of this occurrence, as long before it as for the first."""
    wall = _to_wall(recurrence, occurrence) - timedelta(seconds=recurrence.lead_seconds)
    return _to_moment(recurrence, wall)


def build_recurrence(
    rule: str, *, due_at: datetime | None, remind_at: datetime | None, time_zone: str
) -> TodoRecurrence | None:
    """Build the recurrence of a todo with these first times.

    None if the todo has no time, if the rule or the start is refused, or if the rule never holds from there.
    """
    start = due_at or remind_at
    if start is None:
        return None
    zone = ZoneInfo(time_zone)
    first = start.astimezone(zone).replace(tzinfo=None)
    try:
        check_rule(rule)
        check_start(first)
        holds = _holds_from(rule, first)
    except ValueError:
        return None
    if not holds:
        return None
    reminded = (remind_at or start).astimezone(zone).replace(tzinfo=None)
    lead = round((first - reminded).total_seconds())
    return TodoRecurrence(rule=rule, starts_at=start, time_zone=time_zone, lead_seconds=lead)


def advance(todo: Todo, after: datetime) -> Todo | None:
    """Return the todo at its next occurrence later than this moment; None if that was the last."""
    recurrence = find_sound_recurrence(todo)
    found = None if recurrence is None else find_next(recurrence, after)
    if recurrence is None or found is None:
        return None
    remind_at = todo.remind_at and compute_reminder(recurrence, found)
    times = {"due_at": todo.due_at and found, "remind_at": remind_at}
    return todo.model_copy(update={**times, "version": todo.version + 1})


def _rule(recurrence: TodoRecurrence, wall: datetime, back: timedelta = timedelta()) -> Any:
    """Return the occurrences around a moment, and as far back as is asked for."""
    start = _move_start(recurrence.rule, _to_wall(recurrence, recurrence.starts_at), wall, back)
    return _occurrences(recurrence.rule, start, max(wall, start) + HORIZON)


def _move_start(rule: str, start: datetime, wall: datetime, back: timedelta) -> datetime:
    """Return a later start with the same occurrences from `back` before a moment on.

    They are counted one by one, so from a start years ago each question would take seconds. By months
    and years no start is moved: their lengths differ.
    """
    fields = _read_fields(rule)
    step = _STEPS.get(fields["FREQ"])
    if step is None or "COUNT" in fields or wall - start <= back:
        return start
    whole = step * int(fields.get("INTERVAL", "1"))
    return start + (wall - start - back) // whole * whole


@lru_cache(maxsize=256)
def _occurrences(rule: str, start: datetime, until: datetime) -> Any:
    """Return the occurrences of a rule in wall-clock time, at least up to `until`."""
    found = rrulestr(re.sub(r"(UNTIL=\d{8}T\d{6})Z", r"\1", rule), dtstart=start)
    counted = "COUNT=" in rule
    return found if counted or "UNTIL=" in rule else found.replace(until=until)


def _ever_holds(rule: str, start: datetime) -> bool:
    """Return whether a rule that starts here has any occurrence."""
    occurrences = _occurrences(_without_end(rule), start, start + HORIZON)
    return occurrences.after(start, inc=True) is not None


def _holds_from(rule: str, first: datetime) -> bool:
    """Return whether a rule has any occurrence from this start on; sought at the calendar's end."""
    cycles = (_LAST_LEAP_YEARS.year - first.year) // _CALENDAR_CYCLE
    return _ever_holds(rule, first.replace(year=first.year + cycles * _CALENDAR_CYCLE))


def _without_end(rule: str) -> str:
    return re.sub(r";(?:COUNT|UNTIL)=[^;]*", "", rule)


def _to_wall(recurrence: TodoRecurrence, moment: datetime) -> datetime:
    return moment.astimezone(ZoneInfo(recurrence.time_zone)).replace(tzinfo=None)


def _to_moment(recurrence: TodoRecurrence, wall: datetime) -> datetime:
    return wall.replace(tzinfo=ZoneInfo(recurrence.time_zone)).astimezone(UTC)
