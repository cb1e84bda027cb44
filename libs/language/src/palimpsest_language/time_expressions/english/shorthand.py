"""English shorthand: "early June", "two Fridays ago", "Q3"."""

import re

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.english.shared_words import (
    DAY,
    MONTH,
    NUMBER,
    WEEKDAY,
    YEAR,
    build_phrase,
    build_span_meaning,
    is_month,
    is_month_of_date,
    is_written_as_date,
    parse_month,
    parse_weekday,
)
from palimpsest_language.time_expressions.numerals import parse_english_number
from palimpsest_language.time_expressions.phrases import PhraseMeaning
from palimpsest_language.time_expressions.recurrence import WEEKLY, Recurrence
from palimpsest_language.time_expressions.spans import CalendarSpan, SpeechTime, TimeDirection

_PARTS_OF_MONTH = {"early": (1, 10), "mid": (11, 20), "late": (21, None)}
_PARTS_OF_YEAR = {"early": (1, 4), "mid": (5, 4), "late": (9, 4)}
_WEEKS_OF_MONTH = {
    "first": 1, "1st": 1, "second": 8, "2nd": 8, "third": 15, "3rd": 15, "fourth": 22, "4th": 22,
}  # fmt: skip


def _part_of_month(match: re.Match[str]) -> PhraseMeaning | None:
    if not is_month(match["month"]):
        return None
    first, last = _PARTS_OF_MONTH[match["part"].lower()]
    month, year = parse_month(match["month"]), match["year"]

    def resolve(said: SpeechTime) -> CalendarSpan | None:
        whole = spans.month_of(int(year), month) if year else spans.nearest_month(said, month)
        begins = whole.start.date().replace(day=first)
        return (
            spans.day_span(begins, 10)
            if last
            else spans.rest_of_month_from(begins.replace(day=1), first)
        )

    return build_span_meaning(resolve)


def _part_of_year(match: re.Match[str]) -> PhraseMeaning:
    month, count = _PARTS_OF_YEAR[match["part"].lower()]
    year = int(match["year"])
    return build_span_meaning(lambda _said: spans.month_of(year, month, count))


def _quarter(match: re.Match[str]) -> PhraseMeaning:
    quarter, edge = int(match["quarter"]), match["edge"]

    def resolve(said: SpeechTime) -> CalendarSpan:
        span = spans.nearest_quarter(said, quarter)
        return spans.last_day_of(span) if edge else span

    return build_span_meaning(resolve)


def _day_and_number(match: re.Match[str]) -> PhraseMeaning | None:
    day = int(match["day"])
    return (
        build_span_meaning(lambda said: spans.nearest_day_of_month(said, day))
        if 1 <= day <= 31
        else None
    )


def _weeks_from(match: re.Match[str]) -> PhraseMeaning:
    weeks, weekday = parse_english_number(match["count"]), parse_weekday(match["weekday"])
    return build_span_meaning(
        lambda said: spans.shift_by_units(
            SpeechTime(spans.nearest_weekday(said, weekday).start), "week", weeks
        )
    )


def _weekdays_ago(match: re.Match[str]) -> PhraseMeaning:
    weeks, weekday = parse_english_number(match["count"]) - 1, parse_weekday(match["weekday"])

    def resolve(said: SpeechTime) -> CalendarSpan:
        last = spans.nearest_weekday(SpeechTime(said.at, TimeDirection.PAST), weekday)
        return spans.shift_by_units(SpeechTime(last.start), "week", -weeks)

    return build_span_meaning(resolve)


_SHORT_UNITS = {"m": "minute", "h": "hour", "w": "week"}


def _in_short(match: re.Match[str]) -> PhraseMeaning:
    unit, count = _SHORT_UNITS[match["unit"][0].lower()], int(match["count"])
    return build_span_meaning(lambda said: spans.shift_by_units(said, unit, count))


_SPEAK_UP = re.compile(
    r"\b(?:remind|ping|wake|tell|alert|call|nudge|message|text) (?:me|us)\b", re.IGNORECASE
)


def _in_seconds(match: re.Match[str]) -> PhraseMeaning | None:
    """“Remind me in 30 seconds”; what was done in 30 seconds only took so long."""
    if not _SPEAK_UP.search(match.string):
        return None
    count = parse_english_number(match["count"])
    return build_span_meaning(lambda said: spans.shift_by_units(said, "second", count))


def _and_a_half(match: re.Match[str]) -> PhraseMeaning:
    minutes = 60 * parse_english_number(match["count"]) + 30
    return build_span_meaning(lambda said: spans.shift_by_units(said, "minute", minutes))


def _fortnight(match: re.Match[str]) -> PhraseMeaning:
    days = -14 if match["ago"] else 14
    return build_span_meaning(lambda said: spans.shift_by_units(said, "day", days))


def _days_of_month(match: re.Match[str]) -> PhraseMeaning | None:
    if not (is_month_of_date(match["month"]) or is_written_as_date(match)):
        return None
    month, first, last = parse_month(match["month"]), int(match["day"]), int(match["last"])
    year = match["year"]

    def resolve(said: SpeechTime) -> CalendarSpan | None:
        begins = (
            spans.find_date(int(year), month, first)
            if year
            else spans.nearest_date(said, month, first)
        )
        ends = spans.find_date(begins.start.year, month, last) if begins else None
        return begins.until(ends) if begins and ends and last >= first else None

    return build_span_meaning(resolve)


def _week_of_month(match: re.Match[str]) -> PhraseMeaning:
    month, which, year = parse_month(match["month"]), match["which"].lower(), match["year"]

    def resolve(said: SpeechTime) -> CalendarSpan:
        whole = spans.month_of(int(year), month) if year else spans.nearest_month(said, month)
        if which == "last":
            return spans.last_days_of(whole, 7)
        return spans.day_span(whole.start.date().replace(day=_WEEKS_OF_MONTH[which]), 7)

    return build_span_meaning(resolve)


def _week_of_date(match: re.Match[str]) -> PhraseMeaning | None:
    if not is_month(match["month"]):
        return None
    month, day = parse_month(match["month"]), int(match["day"])

    def resolve(said: SpeechTime) -> CalendarSpan | None:
        span = spans.nearest_date(said, month, day)
        return spans.week_span(SpeechTime(span.start), 0) if span else None

    return build_span_meaning(resolve)


def _weekly(match: re.Match[str]) -> PhraseMeaning:
    names = re.findall(
        r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?", match.group(), re.IGNORECASE
    )
    weekdays = tuple(dict.fromkeys(parse_weekday(name) for name in names))
    return PhraseMeaning(recurrence=Recurrence(WEEKLY, 1, weekdays))


_ANY_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"

ENGLISH_OFFHAND = (
    build_phrase(
        (
            rf"(?:\bin\s+)?\b(?P<part>early|mid|late)(?:-|\s)(?:in\s+)?{MONTH}(?:,?\s+{YEAR}\b)?"
            r"(?!\s+[0-9])"
        ),
        _part_of_month,
    ),
    build_phrase(
        rf"(?:\bin\s+)?\b(?P<part>early|mid|late)(?:-|\s)(?:in\s+)?{YEAR}\b", _part_of_year
    ),
    build_phrase(
        (
            r"(?:\bin\s+|\bduring\s+)?(?:\b(?:the\s+)?(?P<edge>end)\s+of\s+)?\b(?-i:Q)"
            rf"(?P<quarter>[1-4])\b(?!\s+(?:of\s+)?(?:{YEAR.replace('?P<year>', '?:')}|this|last"
            r"|next))"
        ),
        _quarter,
    ),
    build_phrase(
        (
            rf"(?:\bon\s+)?\b(?:{_ANY_DAY}|(?:mon|tues?|weds?|thurs?|thu|fri|sat|sun)\b\.?),?\s+"
            r"(?:the\s+)?(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)\b(?!\s+"
            r"(?:of|floor|in|from|place|row))"
        ),
        _day_and_number,
    ),
    build_phrase(
        (
            r"\bthe\s+(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)\b(?=\s+(?:at|from)\s+(?:[0-9]|half|"
            r"(?:a )?quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
            r"|twenty))"
        ),
        _day_and_number,
    ),
    build_phrase(rf"\b(?P<count>{NUMBER})\s+weeks?\s+from\s+{WEEKDAY}\b", _weeks_from),
    build_phrase(
        rf"\b(?P<count>two|three|four|[2-4])\s+{WEEKDAY}s\s+(?:ago|back)\b", _weekdays_ago
    ),
    build_phrase(r"\bin\s+(?P<count>[0-9]{1,3})\s?(?P<unit>mins?|hrs?|wks?)\b", _in_short),
    build_phrase(
        r"\bin\s+(?P<count>[0-9]{1,3}|five|ten|fifteen|twenty|thirty)\s?(?P<unit>sec(?:ond)?s)\b",
        _in_seconds,
    ),
    build_phrase(
        (
            r"\bin\s+(?P<count>an|one|two|three|[1-9])\s+(?:hours?\s+and\s+a\s+half"
            r"|and\s+a\s+half\s+hours)\b"
        ),
        _and_a_half,
    ),
    build_phrase(r"\b(?:in\s+)?a\s+fortnight(?P<ago>\s+ago)?\b", _fortnight),
    build_phrase(
        (
            rf"(?:\bfrom\s+)?\b{MONTH}\s+{DAY}\s?(?:-|–|—|to|till?|until|thru|through)\s?"
            r"(?:the\s+)?(?P<last>[0-3]?[0-9])(?:st|nd|rd|th)?\b(?!\s?(?:[ap]\.?m\b|[:%]))"
            rf"(?:,?\s+{YEAR}\b)?"
        ),
        _days_of_month,
    ),
    build_phrase(
        (
            r"\b(?:the\s+)?(?P<which>first|second|third|fourth|1st|2nd|3rd|4th|last)\s+week\s+"
            rf"(?:of|in)\s+{MONTH}(?:,?\s+{YEAR}\b)?"
        ),
        _week_of_month,
    ),
    build_phrase(
        rf"\b(?:the\s+)?week\s+(?:of|beginning|starting)\s+(?:the\s+)?{MONTH}\s+{DAY}\b",
        _week_of_date,
    ),
    build_phrase(
        rf"(?:\bon\s+)?\b{_ANY_DAY}s(?:\s*(?:,|,?\s*and|&)\s*{_ANY_DAY}s)+(?!\w)", _weekly
    ),
    build_phrase(rf"(?:\bon\s+)?\b{_ANY_DAY}\s+(?:mornings|afternoons|evenings|nights)\b", _weekly),
)
