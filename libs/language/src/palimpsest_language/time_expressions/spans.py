"""Spans of the calendar, in local time: from midnight to midnight unless a time of day is given."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import Enum

from dateutil.relativedelta import relativedelta

from palimpsest_language.time_expressions.expression import Granularity

SATURDAY = 5
TO_WEDNESDAY, TO_FRIDAY = timedelta(days=2), timedelta(days=4)
LONGEST_MONTH = 31


class TimeDirection(Enum):
    """The choice among days of a name that comes back every week, month or year."""

    PAST = "past"
    FUTURE = "future"
    OVER = "over"
    """Explicitly past: "was", 当时."""
    NEARER = "nearer"
    """The nearer of the last and the next one."""
    UNSAID = "unsaid"
    """To come, unless the last one was just now and the next is most of a year ahead."""


@dataclass(frozen=True)
class SpeechTime:
    """The moment of speech on the speaker's clock, with the direction of the sentence."""

    at: datetime
    direction: TimeDirection = TimeDirection.FUTURE
    zone: str = ""
    """The IANA name of the zone; empty if it does not matter."""

    @property
    def today(self) -> date:
        return self.at.date()

    @property
    def looks_back(self) -> bool:
        return self.direction in {TimeDirection.PAST, TimeDirection.OVER}


@dataclass(frozen=True)
class CalendarSpan:
    """A span in local time without zone; `end` is the first moment after it."""

    start: datetime
    end: datetime
    granularity: Granularity
    all_day: bool = True

    def until(self, other: "CalendarSpan") -> "CalendarSpan":
        return replace(self, end=other.end, all_day=self.all_day and other.all_day)


SpanResolver = Callable[[SpeechTime], CalendarSpan | None]
"""Resolves words by the time of speech; None if there is no such day."""


def day_span(first: date, count: int = 1) -> CalendarSpan:
    return _from(first, first + timedelta(days=count), Granularity.DAY)


def week_span(said: SpeechTime, offset: int) -> CalendarSpan:
    monday = said.today - timedelta(days=said.today.weekday()) + timedelta(weeks=offset)
    return _from(monday, monday + timedelta(weeks=1), Granularity.WEEK)


def day_of_week(said: SpeechTime, offset: int, weekday: int) -> CalendarSpan:
    """Return a weekday (0 is Monday) of the week `offset` weeks from this one."""
    return day_span(week_span(said, offset).start.date() + timedelta(days=weekday))


def weekend(said: SpeechTime, offset: int) -> CalendarSpan:
    return day_span(week_span(said, offset).start.date() + timedelta(days=5), 2)


def nearest_weekend(said: SpeechTime) -> CalendarSpan:
    """Return this weekend, or the last one if this is ahead and the sentence is past."""
    return weekend(said, -1 if said.looks_back and said.today.weekday() < SATURDAY else 0)


def month_of(year: int, month: int, count: int = 1) -> CalendarSpan:
    first = date(year, month, 1)
    return _from(first, first + relativedelta(months=count), Granularity.MONTH)


def month_from(said: SpeechTime, offset: int) -> CalendarSpan:
    first = said.today.replace(day=1) + relativedelta(months=offset)
    return month_of(first.year, first.month)


def year_of(year: int) -> CalendarSpan:
    return _from(date(year, 1, 1), date(year + 1, 1, 1), Granularity.YEAR)


def half_of(year: int, half: int) -> CalendarSpan:
    return month_of(year, 6 * half - 5, 6)


def quarter_of(year: int, quarter: int) -> CalendarSpan:
    return month_of(year, 3 * quarter - 2, 3)


def quarter_from(said: SpeechTime, offset: int) -> CalendarSpan:
    quarter = (said.today.month - 1) // 3 + offset
    return quarter_of(said.today.year + quarter // 4, quarter % 4 + 1)


def nearest_quarter(said: SpeechTime, quarter: int) -> CalendarSpan:
    """Return the nearest quarter, 1 to 4; the current one counts in either direction."""
    now, year = (said.today.month - 1) // 3 + 1, said.today.year
    if said.looks_back:
        return quarter_of(year - (quarter > now), quarter)
    return quarter_of(year + (quarter < now), quarter)


def season_of(year: int, season: int) -> CalendarSpan:
    """Return a season of the northern hemisphere: 0 is spring, from March on.

    Winter reaches into next year.
    """
    return month_of(year, 3 * season + 3, 3)


def instant_span(moment: datetime) -> CalendarSpan:
    return CalendarSpan(moment, moment, Granularity.INSTANT, all_day=False)


def part_of_day(day: date, first_hour: int, last_hour: int) -> CalendarSpan:
    midnight = datetime.combine(day, time())
    return CalendarSpan(
        midnight + timedelta(hours=first_hour),
        midnight + timedelta(hours=last_hour),
        Granularity.DAY,
        all_day=False,
    )


def shift_by_units(said: SpeechTime, unit: str, count: int) -> CalendarSpan:
    """Shift by a number of units: exact to the minute, the day, the month or the year."""
    match unit:
        case "second" | "minute" | "hour":
            return instant_span(said.at + timedelta(**{f"{unit}s": count}))
        case "day" | "week":
            return day_span(said.today + timedelta(**{f"{unit}s": count}))
        case "month":
            return month_from(said, count)
        case _:
            return year_of(said.today.year + count)


def span_around_now(said: SpeechTime, unit: str, count: int) -> CalendarSpan:
    """Return the last units with today, or with a negative count the next ones."""
    steps = relativedelta(**{f"{unit}s": abs(count)})
    today, tomorrow = said.today, said.today + timedelta(days=1)
    if count > 0:
        return _from(tomorrow - steps, tomorrow, Granularity.DAY)
    return _from(today, today + steps, Granularity.DAY)


def nearest_weekday(said: SpeechTime, weekday: int) -> CalendarSpan:
    """Return the nearest weekday; today counts as ahead, and never as past."""
    ahead = (weekday - said.today.weekday()) % 7
    return day_span(said.today + timedelta(days=ahead - 7 if said.looks_back else ahead))


def nearest_month(said: SpeechTime, month: int) -> CalendarSpan:
    """Return the nearest month; the current one counts in either direction."""
    year = said.today.year
    if said.looks_back:
        return month_of(year - (month > said.today.month), month)
    return month_of(year + (month < said.today.month), month)


def nearest_date(said: SpeechTime, month: int, day: int) -> CalendarSpan | None:
    """Return the nearest date; None if there is no such day, as 30 February."""
    for offset in (0, -1, 1) if said.looks_back else (0, 1, -1, 2, 3):
        span = find_date(said.today.year + offset, month, day)
        if span and (span.start.date() <= said.today) == said.looks_back:
            return span
        if span and span.start.date() == said.today:
            return span
    return None


def nearest_day_of_month(said: SpeechTime, day: int) -> CalendarSpan | None:
    for offset in (0, -1, -2) if said.looks_back else (0, 1, 2):
        first = said.today.replace(day=1) + relativedelta(months=offset)
        span = find_date(first.year, first.month, day)
        if span and (
            span.start.date() <= said.today if said.looks_back else span.start.date() >= said.today
        ):
            return span
    return None


def weekday_of_month(month: CalendarSpan, weekday: int, which: int) -> CalendarSpan | None:
    """Return the first to fifth weekday of a month (0 is Monday), with -1 the last, or None."""
    first, after = month.start.date(), month.end.date()
    if which < 0:
        last = after - timedelta(days=1)
        return day_span(last - timedelta(days=(last.weekday() - weekday) % 7))
    found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (which - 1))
    return day_span(found) if found < after else None


def find_date(year: int, month: int, day: int) -> CalendarSpan | None:
    try:
        return day_span(date(year, month, day))
    except ValueError:
        return None


def rest_of_month_from(first: date, day: int) -> CalendarSpan:
    """Return the span from this day to the end of the month that begins with `first`."""
    from_day = first.replace(day=day)
    return _from(from_day, first + relativedelta(months=1), Granularity.DAY)


def last_day_of(span: CalendarSpan) -> CalendarSpan:
    return day_span(span.end.date() - timedelta(days=1))


def last_days_of(span: CalendarSpan, count: int) -> CalendarSpan:
    after = span.end.date()
    return _from(after - timedelta(days=count), after, Granularity.DAY)


def _from(first: date, after: date, granularity: Granularity) -> CalendarSpan:
    return CalendarSpan(
        datetime.combine(first, time()), datetime.combine(after, time()), granularity
    )
