"""Lines of the timeline: one for each attribute, with an interval for each value that it had.

Places are in hundredths of the shown stretch of time.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory

WHOLE = 100.0
MOST_LANES = 6
TICKS = 5
_LEAST_LENGTH = 0.8
_LEAST_STRETCH = timedelta(days=1)
_FAR_SHARE = 0.15
"""The share of beginnings at either end that may be left out of what is shown."""
_MARGIN = 0.05
_SQUEEZED = 4
"""How many times longer the whole must be for its far ends to be left out."""
_NARROW = 12.0
"""The shortest interval that holds its label; a shorter one has it beside it, in this much room."""
_MOST_ROOM = 40.0
_USER = frozenset({"user", "the user", "用户"})


class TimeStretch(NamedTuple):
    """The stretch of time that is shown."""

    begin: datetime
    end: datetime

    def place(self, moment: datetime) -> float:
        """Return the place of a moment, within the stretch."""
        share = (moment - self.begin) / (self.end - self.begin)
        return min(max(share * WHOLE, 0.0), WHOLE)

    def moment(self, place: float) -> datetime:
        """Return the moment at a place."""
        return self.begin + (self.end - self.begin) * (place / WHOLE)

    @property
    def ticks(self) -> list[tuple[float, datetime]]:
        """Evenly spaced places with their moments, without the ends."""
        places = [WHOLE * (number + 0.5) / TICKS for number in range(TICKS)]
        return [(place, self.moment(place)) for place in places]


class LabelSide(StrEnum):
    """Where the label of an interval stands."""

    INSIDE = "inside"
    BEFORE = "before"
    AFTER = "after"
    NOWHERE = "nowhere"
    """No lane has room for it; the interval tells it to whoever points at it."""


class TimelineInterval(NamedTuple):
    """The time in which one memory held."""

    memory: Memory
    begin: float
    length: float
    lane: int
    """The row within the line, from 0; intervals that overlap stand in different rows."""
    label_side: LabelSide = LabelSide.INSIDE
    room: float = 0.0
    """The room of a label that stands beside the interval."""

    @property
    def label(self) -> str:
        return self.memory.value or self.memory.summary

    @property
    def has_ended(self) -> bool:
        return self.memory.valid_until is not None


class TimelineLine(NamedTuple):
    """An attribute of somebody, or for memories without one their kind."""

    subject: str | None
    """Whom or what it is about; None for the user."""
    attribute: str | None
    kind: Kind | None
    """The kind of memories without an attribute; None for a line of an attribute."""
    intervals: Sequence[TimelineInterval]
    left_out: int
    """The number of memories that found no room."""

    @property
    def lanes(self) -> int:
        return 1 + max((interval.lane for interval in self.intervals), default=0)


def find_stretch(memories: Iterable[Memory], now: datetime) -> TimeStretch:
    """Return the stretch from the first beginning to now, or to the last beginning after it."""
    begins = [memory.valid_from for memory in memories]
    begin = min([*begins, now])
    return TimeStretch(min(begin, now - _LEAST_STRETCH), max([*begins, now]))


def find_busy_stretch(memories: Iterable[Memory], now: datetime) -> TimeStretch | None:
    """Return the stretch without a few far beginnings that squeeze all others; None if none do."""
    begins = sorted(memory.valid_from for memory in memories)
    whole = find_stretch(memories, now)
    far = int(len(begins) * _FAR_SHARE)
    if far == 0:
        return None
    first, last = min(begins[far], now), max(begins[-1 - far], now)
    margin = max(last - first, _LEAST_STRETCH) * _MARGIN
    busy = TimeStretch(max(first - margin, whole.begin), min(last + margin, whole.end))
    is_squeezed = (whole.end - whole.begin) > _SQUEEZED * (busy.end - busy.begin)
    return busy if is_squeezed else None


def build_timeline(memories: Iterable[Memory], stretch: TimeStretch) -> list[TimelineLine]:
    """Return lines of attributes, those with most changes first, then lines of kinds."""
    grouped: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    others: dict[Kind, list[Memory]] = defaultdict(list)
    for memory in memories:
        if memory.attribute:
            subject = memory.subject or ""
            key = "" if subject.casefold() in _USER else subject
            grouped[key, memory.attribute].append(memory)
        else:
            others[memory.kind].append(memory)
    lines = [
        _build_line(subject or None, attribute, None, held, stretch)
        for (subject, attribute), held in grouped.items()
    ]
    lines.sort(key=lambda line: (-_count_ended(line), line.subject or "", line.attribute or ""))
    return lines + [_build_line(None, None, kind, held, stretch) for kind, held in others.items()]


def _count_ended(line: TimelineLine) -> int:
    return sum(interval.has_ended for interval in line.intervals)


def _build_line(
    subject: str | None,
    attribute: str | None,
    kind: Kind | None,
    memories: list[Memory],
    stretch: TimeStretch,
) -> TimelineLine:
    intervals: list[TimelineInterval] = []
    free_from: list[float] = []
    for memory in sorted(memories, key=lambda memory: (memory.valid_from, memory.id)):
        begin = min(stretch.place(memory.valid_from), WHOLE - _LEAST_LENGTH)
        end = WHOLE if memory.valid_until is None else stretch.place(memory.valid_until)
        length = max(end - begin, _LEAST_LENGTH)
        side = _choose_side(begin, length)
        room_before = _NARROW if side is LabelSide.BEFORE else 0.0
        lane = _find_lane(free_from, begin - room_before)
        if lane >= MOST_LANES and side is not LabelSide.INSIDE:
            side, lane = LabelSide.NOWHERE, _find_lane(free_from, begin)
        if lane >= MOST_LANES:
            continue
        free = free_from[lane] if lane < len(free_from) else 0.0
        is_after = side is LabelSide.AFTER
        room = _NARROW if is_after else min(begin - free, _MOST_ROOM)
        free_from[lane:] = [begin + length + (room if is_after else 0.0), *free_from[lane + 1 :]]
        intervals.append(TimelineInterval(memory, begin, length, lane, side, room))
    return TimelineLine(subject, attribute, kind, intervals, len(memories) - len(intervals))


def _choose_side(begin: float, length: float) -> LabelSide:
    if length >= _NARROW:
        return LabelSide.INSIDE
    return LabelSide.BEFORE if begin >= _NARROW else LabelSide.AFTER


def _find_lane(free_from: Sequence[float], begin: float) -> int:
    """Return the first lane that is free from here on; a new one if none is."""
    return next((lane for lane, free in enumerate(free_from) if free <= begin), len(free_from))
