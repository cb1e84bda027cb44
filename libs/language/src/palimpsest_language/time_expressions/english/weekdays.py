"""English days by weekday and something beside it, and hedged counts.

"Wednesday 2 September" is that date, "the last Sunday in February" the last of that
month, "Friday week" the Friday after the next one.
"""

import re
from datetime import date, timedelta

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.english.months import read_written_date
from palimpsest_language.time_expressions.english.shared_words import (
    DAY,
    MONTH,
    NUMBER,
    UNIT,
    WEEKDAY,
    WHICH,
    YEAR,
    build_phrase,
    build_span_meaning,
    is_rescheduled_from,
    parse_month,
    parse_unit,
    parse_weekday,
)
from palimpsest_language.time_expressions.numerals import parse_english_number
from palimpsest_language.time_expressions.phrases import PhraseMeaning
from palimpsest_language.time_expressions.spans import CalendarSpan, SpeechTime, TimeDirection

_ANY_DAY = (
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun)\b\.?)"
)
_WHICH_OF_MONTH = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3}
_WEEK = timedelta(days=7)


def _of_month(match: re.Match[str]) -> PhraseMeaning:
    found = match.groupdict()
    place, weekday = match["ordinal"].lower(), parse_weekday(match["weekday"])

    def resolve(said: SpeechTime) -> CalendarSpan | None:
        if found["month"]:
            month, year = parse_month(found["month"]), found["year"]
            whole = spans.month_of(int(year), month) if year else spans.nearest_month(said, month)
        else:
            whole = spans.month_from(said, WHICH[found["which"].lower()])
        return _weekday_within(whole, place, weekday)

    return build_span_meaning(resolve)


def _weekday_within(month: CalendarSpan, place: str, weekday: int) -> CalendarSpan | None:
    first, last = month.start.date(), month.end.date() - timedelta(days=1)
    if place == "last":
        found = last - timedelta(days=(last.weekday() - weekday) % 7)
    else:
        found = first + timedelta(days=(weekday - first.weekday()) % 7)
        found += _WHICH_OF_MONTH[place] * _WEEK
    return spans.day_span(found) if first <= found <= last else None


def _weekday_later(match: re.Match[str]) -> PhraseMeaning:
    """“Friday week”, “a week on Friday”, “Friday after next”: the one after that which is next."""
    weekday = parse_weekday(match["weekday"])
    weeks = 2 if match[0].lower().endswith("fortnight") else 1

    def resolve(said: SpeechTime) -> CalendarSpan:
        coming = spans.nearest_weekday(SpeechTime(said.at, TimeDirection.FUTURE), weekday)
        return spans.day_span(coming.start.date() + weeks * _WEEK)

    return build_span_meaning(resolve)


def _coming(match: re.Match[str]) -> PhraseMeaning:
    weekday = parse_weekday(match["weekday"])
    return build_span_meaning(
        lambda said: spans.nearest_weekday(SpeechTime(said.at, TimeDirection.FUTURE), weekday)
    )


def _hedged(match: re.Match[str]) -> PhraseMeaning:
    unit, count = parse_unit(match["unit"]), parse_english_number(match["count"])
    return build_span_meaning(lambda said: spans.shift_by_units(said, unit, count))


def _tomorrow(_match: re.Match[str]) -> PhraseMeaning:
    return build_span_meaning(lambda said: spans.shift_by_units(said, "day", 1))


def _from_day_to_day(match: re.Match[str]) -> PhraseMeaning | None:
    """“The 11th till the 16th of August”: the month stands behind both."""
    month, first, last = parse_month(match["month"]), int(match["first"]), int(match["day"])
    year = match["year"]

    def resolve(said: SpeechTime) -> CalendarSpan | None:
        ends = (
            spans.find_date(int(year), month, last)
            if year
            else spans.nearest_date(said, month, last)
        )
        begins = _day_before(ends, first)
        return begins.until(ends) if begins and ends else None

    return build_span_meaning(resolve) if 1 <= first < last <= 31 else None


def _day_of_year(match: re.Match[str]) -> PhraseMeaning | None:
    """“April 1 last year”."""
    month = parse_month(match["month"] or match["month_behind"])
    day, offset = int(match["day"] or match["day_before"]), WHICH[match["which"].lower()]
    return build_span_meaning(lambda said: spans.find_date(said.today.year + offset, month, day))


def _month_years_ago(match: re.Match[str]) -> PhraseMeaning:
    """“Two years ago next month”."""
    years, offset = parse_english_number(match["count"]), WHICH[match["which"].lower()]
    return build_span_meaning(lambda said: spans.month_from(said, offset - 12 * years))


_FROM_TODAY = {"yesterday": -1, "today": 0, "tomorrow": 1}
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}


def _day_years_ago(match: re.Match[str]) -> PhraseMeaning:
    """“A year ago today”."""
    years, offset = parse_english_number(match["count"]), _FROM_TODAY[match["day"].lower()]

    def resolve(said: SpeechTime) -> CalendarSpan | None:
        day = said.today + timedelta(days=offset)
        return spans.find_date(day.year - years, day.month, day.day)

    return build_span_meaning(resolve)


def _from_a_day(match: re.Match[str]) -> PhraseMeaning:
    """“A week from yesterday”."""
    days = parse_english_number(match["count"]) * (7 if match["unit"].lower() == "week" else 1)
    offset = days + _FROM_TODAY[match["day"].lower()]
    return build_span_meaning(lambda said: spans.shift_by_units(said, "day", offset))


def _seasons_ago(match: re.Match[str]) -> PhraseMeaning:
    """“Two summers ago”: the last that is over is one summer ago."""
    count, season = parse_english_number(match["count"]), _SEASONS[match["season"].lower()]

    def resolve(said: SpeechTime) -> CalendarSpan:
        years = (said.today.year - back for back in range(3))
        last = next(year for year in years if spans.season_of(year, season).end <= said.at)
        return spans.season_of(last - count + 1, season)

    return build_span_meaning(resolve)


def _day_to_day(match: re.Match[str]) -> PhraseMeaning | None:
    first, last = int(match["first"]), int(match["last"])
    if is_rescheduled_from(match.string, match.start()):
        return None

    def resolve(said: SpeechTime) -> CalendarSpan | None:
        begins = spans.nearest_day_of_month(said, first)
        ends = spans.find_date(begins.start.year, begins.start.month, last) if begins else None
        return begins.until(ends) if begins and ends else None

    return build_span_meaning(resolve) if 1 <= first < last <= 31 else None


def _day_before(ends: CalendarSpan | None, day: int) -> CalendarSpan | None:
    if ends is None:
        return None
    last: date = ends.start.date()
    return spans.find_date(last.year, last.month, day)


def _month_of_year(match: re.Match[str]) -> PhraseMeaning:
    month, offset = parse_month(match["month"]), WHICH[match["which"].lower()]
    return build_span_meaning(lambda said: spans.month_of(said.today.year + offset, month))


ENGLISH_WEEKDAYS = (
    build_phrase(
        rf"(?:\bon\s+)?\b{_ANY_DAY},?\s+(?:the\s+)?{DAY}\s+(?:of\s+)?{MONTH}(?:,?\s+{YEAR}\b)?",
        read_written_date,
    ),
    build_phrase(
        rf"(?:\bon\s+)?\b{_ANY_DAY},?\s+{MONTH}\s+(?:the\s+)?{DAY}\b(?!:)(?:,?\s+{YEAR}\b)?",
        read_written_date,
    ),
    build_phrase(
        r"(?:\bon\s+)?\b(?:the\s+)?(?P<ordinal>first|1st|second|2nd|third|3rd|fourth|last)\s+"
        rf"{WEEKDAY}\s+(?:of|in)\s+"
        rf"(?:{MONTH}(?:,?\s+{YEAR}\b)?|(?P<which>this|next|last)\s+month\b)",
        _of_month,
    ),
    build_phrase(
        rf"(?:\bon\s+)?\b{WEEKDAY}\s+(?:week|fortnight|after\s+next)\b(?!\s+(?:the|we|I)\b)",
        _weekday_later,
    ),
    build_phrase(rf"\ba\s+week\s+(?:on|this)\s+{WEEKDAY}\b", _weekday_later),
    build_phrase(rf"\b(?:this\s+coming|the\s+coming)\s+{WEEKDAY}\b", _coming),
    build_phrase(
        (
            r"\bin\s+(?:exactly|about|around|roughly|approximately|almost|just(?:\s+"
            rf"(?:over|under))?|another|precisely)\s+(?P<count>{NUMBER})\s+{UNIT}\b"
        ),
        _hedged,
    ),
    build_phrase(rf"\bwithin\s+(?:the\s+next\s+)?(?P<count>{NUMBER})\s+{UNIT}\b", _hedged),
    build_phrase(r"\b(?:tmrw|tmr|tmrrw|tomorow|tommorow|tommorrow|2moro)\b", _tomorrow),
    build_phrase(
        (
            r"(?:\bfrom\s+)?\b(?:the\s+)?(?P<first>[0-3]?[0-9])(?:st|nd|rd|th)?\s?"
            rf"(?:-|–|to|til|till|until|thru|through)\s?(?:the\s+)?{DAY}\s+(?:of\s+)?{MONTH}"
            rf"(?:,?\s+{YEAR}\b)?"
        ),
        _from_day_to_day,
    ),
    build_phrase(
        (
            r"(?:\bfrom\s+)?\b(?:the\s+)?(?P<first>[0-3]?[0-9])(?:st|nd|rd|th)?\s?"
            r"(?:-|–|to|til|till|until|thru|through)\s?(?:the\s+)?(?P<last>[0-3]?[0-9])"
            r"(?:st|nd|rd|th)\b(?!\s+(?:of|floor|place|row|grade))"
        ),
        _day_to_day,
    ),
    build_phrase(
        rf"(?:\bin\s+)?\b{MONTH}\s+(?:of\s+)?(?P<which>last|this|next)\s+(?:year|yr)\b",
        _month_of_year,
    ),
    build_phrase(
        (
            rf"(?:\bon\s+)?(?:\b{MONTH}\s+{DAY}|\b{DAY.replace('?P<day>', '?P<day_before>')}\s+"
            rf"(?:of\s+)?{MONTH.replace('?P<month>', '?P<month_behind>')}),?\s+(?:of\s+)?"
            r"(?P<which>last|this|next)\s+(?:year|yr)\b"
        ),
        _day_of_year,
    ),
    build_phrase(
        rf"\b(?P<count>{NUMBER})\s+years?\s+ago\s+(?P<which>last|this|next)\s+month\b",
        _month_years_ago,
    ),
    build_phrase(
        rf"\b(?P<count>{NUMBER})\s+years?\s+ago\s+(?P<day>today|yesterday|tomorrow)\b",
        _day_years_ago,
    ),
    build_phrase(
        rf"\b(?P<count>{NUMBER})\s+(?P<unit>day|week)s?\s+from\s+(?P<day>yesterday|tomorrow)\b",
        _from_a_day,
    ),
    build_phrase(
        (
            r"\b(?P<count>two|three|four|five|[2-5])\s+(?P<season>spring|summer|autumn|fall"
            r"|winter)s\s+(?:ago|back)\b"
        ),
        _seasons_ago,
    ),
)
