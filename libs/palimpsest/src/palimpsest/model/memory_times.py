"""Times of a memory: when it holds, when it was last said, and the time that it speaks of."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from palimpsest.model.memory import HELD_STATUSES, Candidate, Memory
from palimpsest.model.value_types import FIRST_YEAR, LAST_YEAR, Instant, Value, to_instant


class StatedTime(Value):
    """The time that a memory speaks of, resolved against the day on which it was said."""

    words: str = ""
    """The words for the time; empty if a person stated it in figures."""
    starts_at: Instant | None = None
    """The first moment; null if it is open to the past."""
    ends_at: Instant | None = None
    """The first moment after it; null if it is open to the future."""
    granularity: str = "day"
    """The exactness of the words: instant, day, week, month or year."""
    all_day: bool = True
    """True if no time of day was given."""
    recurrence: str | None = None
    """An RRULE of RFC 5545, whose first day is `starts_at`; null for a single time."""


def read_stated_time(data: Mapping[str, Any]) -> StatedTime | None:
    """Return the time in the data of a memory; None without a readable one.

    A stated `due_at` takes precedence over the `time` in its words.
    """
    if (due := read_moment(data, "due_at")) is not None:
        return StatedTime(starts_at=due, ends_at=due, granularity="instant", all_day=False)
    written = data.get("time")
    if not isinstance(written, Mapping):
        return None
    known = {name: written[name] for name in StatedTime.model_fields if name in written}
    try:
        stated = StatedTime.model_validate(known)
    except ValidationError:
        # Free data: anybody may have written it.
        return None
    moments = [each for each in (stated.starts_at, stated.ends_at) if each is not None]
    return stated if moments and all(map(_leaves_room, moments)) else None


def read_moment(data: Mapping[str, Any], name: str) -> datetime | None:
    """Return a moment in the data of a memory; None if it is no moment with a time zone, or too far."""
    written = data.get(name)
    if not isinstance(written, str):
        return None
    try:
        moment = to_instant(datetime.fromisoformat(written))
    except ValueError:
        return None
    return moment if _leaves_room(moment) else None


def _leaves_room(moment: datetime) -> bool:
    """Return whether a day more or less is still in the calendar: reminders come before, days end after."""
    return FIRST_YEAR < moment.year < LAST_YEAR


def last_said_at(memory: Memory) -> datetime:
    said = [evidence.said_at for evidence in memory.evidence if evidence.said_at is not None]
    return max(said, default=memory.recorded_at)


def starts_at(memory: Memory | Candidate) -> datetime | None:
    return _moment(memory, "starts_at")


def ends_at(memory: Memory | Candidate) -> datetime | None:
    return _moment(memory, "ends_at")


def was_upcoming(memory: Memory | Candidate) -> bool:
    """Tell whether its time was ahead when it was said, as far as that moment is known."""
    start = starts_at(memory) or ends_at(memory)
    said = [evidence.said_at for evidence in memory.evidence]
    return start is not None and any(at is None or at < start for at in said)


def is_recurring(memory: Memory | Candidate) -> bool:
    time = memory.data.get("time")
    return isinstance(time, dict) and bool(time.get("recurrence"))


def time_phrase(memory: Memory | Candidate) -> str | None:
    """Return the words for its time; None without a time or without words for it."""
    time = memory.data.get("time")
    words = time.get("words") if isinstance(time, dict) else None
    return None if words is None else str(words)


def _moment(memory: Memory | Candidate, name: str) -> datetime | None:
    time = memory.data.get("time")
    return read_moment(time, name) if isinstance(time, Mapping) else None


def is_held_at(memory: Memory, moment: datetime) -> bool:
    """Tell whether it held at a moment: valid_from ≤ moment < valid_until, and not expired."""
    if memory.status not in HELD_STATUSES or not memory.valid_at(moment):
        return False
    return memory.expires_at is None or moment < memory.expires_at


def is_held_between(memory: Memory, since: datetime | None, until: datetime | None) -> bool:
    """Tell whether it held at some moment from `since` until before `until`; None is open."""
    if memory.status not in HELD_STATUSES:
        return False
    ends = [end for end in (memory.valid_until, memory.expires_at) if end is not None]
    return (until is None or memory.valid_from < until) and (
        since is None or all(end > since for end in ends)
    )
