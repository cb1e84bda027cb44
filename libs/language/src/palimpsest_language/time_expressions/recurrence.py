"""Recurrence: its rule of RFC 5545, and its next time."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from dateutil import rrule

from palimpsest_language.time_expressions.clock_time import ClockTime
from palimpsest_language.time_expressions.spans import CalendarSpan, SpeechTime, day_span

DAILY, WEEKLY, MONTHLY, YEARLY = rrule.DAILY, rrule.WEEKLY, rrule.MONTHLY, rrule.YEARLY
WORKING_DAYS = (0, 1, 2, 3, 4)
WEEKEND = (5, 6)


@dataclass(frozen=True)
class Recurrence:
    frequency: int
    interval: int = 1
    weekdays: tuple[int, ...] = ()
    """Days of the week; 0 is Monday."""
    month_day: int | None = None
    month: int | None = None

    def rule(self) -> str:
        """Return the rule, without the time of day, which `starts_at` has."""
        return str(self._rule(datetime(2000, 1, 1))).rpartition("RRULE:")[2]  # noqa: DTZ001

    def first(self, said: SpeechTime, clock: ClockTime | None) -> CalendarSpan | None:
        """Return the next time; without a particular day, the current day, week or month."""
        day = said.today
        if clock is not None and clock.on(day).end < said.at:
            day += timedelta(days=1)
        coming = self._rule(datetime.combine(day, time())).after(
            datetime.combine(day, time()), inc=True
        )
        if coming is None:
            return None
        if clock is not None:
            return clock.on(coming.date())
        return day_span(coming.date())

    def _rule(self, start: datetime) -> rrule.rrule:
        return rrule.rrule(
            self.frequency,
            dtstart=start,
            interval=self.interval,
            byweekday=self.weekdays or None,
            bymonthday=self.month_day,
            bymonth=self.month,
        )
