"""Decide on a todo whose reminder is due: fire it, postpone it, or pass on. Pure."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.todo import Todo
from palimpsest.model.user import Language, UserSettings
from palimpsest_server.domain.memory_dates import write_todo_dates
from palimpsest_server.domain.todos.recurrence import (
    compute_reminder,
    find_latest,
    find_next,
    find_sound_recurrence,
)

LATE_AFTER = timedelta(minutes=1)
"""A reminder that is later than this is marked late."""

_TEXT = {Language.CHINESE: "提醒：{}", Language.ENGLISH: "Reminder: {}"}


def fire_reminder(todo: Todo, now: datetime, settings: UserSettings) -> Todo:
    """Return the todo after its reminder fell due: reminded, or with a later reminder.

    In quiet hours nobody is reminded, and the reminder is postponed to their end. A recurring todo is
    reminded of once for all missed occurrences, and then of its next one.
    """
    # The clock of the process that found it due may be ahead of ours; the reminder counts as given then.
    now = max(now, todo.remind_at or now)
    quiet_until = find_quiet_end(now, settings)
    if quiet_until is not None:
        return _next(todo, remind_at=quiet_until)
    recurrence = find_sound_recurrence(todo)
    if recurrence is None:
        return _next(todo, reminded_at=now)
    lead = timedelta(seconds=recurrence.lead_seconds)
    current = find_latest(recurrence, now + lead) or recurrence.starts_at
    coming = find_next(recurrence, max(current, now + lead))
    due_at = todo.due_at and max(todo.due_at, current)
    # Without a further occurrence the reminder keeps its time, because it was given.
    remind_at = todo.remind_at if coming is None else compute_reminder(recurrence, coming)
    return _next(todo, reminded_at=now, due_at=due_at, remind_at=remind_at)


def find_quiet_end(moment: datetime, settings: UserSettings) -> datetime | None:
    """Return when the quiet hours around this moment end; None outside of quiet hours."""
    quiet = settings.quiet_hours
    if quiet is None:
        return None
    begins, ends = quiet.bounds
    zone = ZoneInfo(settings.time_zone)
    wall = moment.astimezone(zone)
    of_day = wall.time().replace(second=0, microsecond=0)
    over_midnight = ends < begins
    inside = of_day >= begins or of_day < ends if over_midnight else begins <= of_day < ends
    if not inside:
        return None
    day = wall.date() + timedelta(days=int(over_midnight and of_day >= begins))
    return max(datetime.combine(day, ends, zone).astimezone(moment.tzinfo), moment + LATE_AFTER)


def is_late(before: Todo, after: Todo) -> bool:
    """Return whether a fired reminder was later than planned."""
    if before.remind_at is None or after.reminded_at is None:
        return False
    return after.reminded_at - before.remind_at > LATE_AFTER


def write_reminder(todo: Todo, time_zone: str) -> tuple[str, str]:
    """Return the task with its dates, and the text for its user: “提醒：…” or "Reminder: …"."""
    content = write_todo_dates(todo, time_zone)
    return content, _TEXT[detect_language(content)].format(content)


def _next(todo: Todo, **changes: object) -> Todo:
    return todo.model_copy(update={**changes, "version": todo.version + 1})
