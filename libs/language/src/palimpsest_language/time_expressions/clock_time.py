"""Times of day, as people say them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from palimpsest_language.time_expressions.spans import (
    CalendarSpan,
    SpeechTime,
    instant_span,
    part_of_day,
)

NIGHT, MORNING, NOON, AFTERNOON, EVENING = "night", "morning", "noon", "afternoon", "evening"

_HOURS = {
    NIGHT: (0, 6),
    MORNING: (6, 12),
    NOON: (11, 13),
    AFTERNOON: (12, 18),
    EVENING: (18, 24),
}

_IN_PART: dict[str, Callable[[int], int]] = {
    NIGHT: lambda hour: hour % 12,
    MORNING: lambda hour: hour,
    NOON: lambda hour: hour + 12 if hour < 10 else hour,
    AFTERNOON: lambda hour: hour % 12 + 12,
    EVENING: lambda hour: hour + 12 if hour else 24,
}
"""An hour from 1 to 12, as one of 24: twelve in the evening is midnight."""

_LAST_HOUR_AFTER_NOON = 6
"""An hour up to this one is in the afternoon where nothing says which half of the day is meant."""


@dataclass(frozen=True)
class ClockTime:
    """An hour, a part of the day, or both."""

    hour: int | None = None
    minute: int = 0
    part: str | None = None
    exact: bool = False
    """True if the hour is one of 24."""
    until: int | None = None
    """The hour at which it ends, if two hours are told in one: 9-11点."""

    def on(self, day: date) -> CalendarSpan:
        if self.hour is None:
            return part_of_day(day, *_HOURS[self.part or MORNING])
        begins = instant_span(
            datetime.combine(day, time()) + timedelta(hours=self._hour(), minutes=self.minute)
        )
        if self.until is None:
            return begins
        ends = replace(self, hour=self.until, minute=0, until=None).on(day)
        return begins.until(ends) if ends.start > begins.start else begins

    def near(self, said: SpeechTime) -> CalendarSpan:
        """Return the next moment at which the clock shows this time, or the last one."""
        today = self.on(said.today)
        if said.looks_back:
            return today if today.start <= said.at else self.on(said.today - timedelta(days=1))
        return today if today.start >= said.at else self.on(said.today + timedelta(days=1))

    def _hour(self) -> int:
        hour = self.hour or 0
        if self.exact or hour > 12:
            return hour
        if self.part is None:
            return hour + 12 if 0 < hour <= _LAST_HOUR_AFTER_NOON else hour
        return _IN_PART[self.part](hour)
