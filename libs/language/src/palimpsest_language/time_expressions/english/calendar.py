"""English days, weeks, seasons and holidays."""

import re
from datetime import timedelta

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.english.months import ENGLISH_MONTHS
from palimpsest_language.time_expressions.english.shared_words import (
    MONTH,
    NUMBER,
    ON,
    UNIT,
    WEEKDAY,
    WHICH,
    WHICH_ONE,
    YEAR,
    build_phrase,
    build_span_meaning,
    parse_month,
    parse_unit,
    parse_weekday,
)
from palimpsest_language.time_expressions.habits import is_habit
from palimpsest_language.time_expressions.holidays import (
    HOLIDAYS,
    find_holiday,
    find_nearest_holiday,
)
from palimpsest_language.time_expressions.numerals import parse_english_number
from palimpsest_language.time_expressions.phrases import PhraseMeaning
from palimpsest_language.time_expressions.recurrence import WEEKEND, WEEKLY, Recurrence
from palimpsest_language.time_expressions.spans import CalendarSpan, SpeechTime, TimeDirection

_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
_HOLIDAY = "|".join(
    sorted((re.escape(name) for name in HOLIDAYS if name.isascii()), key=len, reverse=True)
)


def _day(match: re.Match[str]) -> PhraseMeaning:
    words = match["day"].lower()
    from_today = {"today": 0, "tomorrow": 1, "yesterday": -1}.get(words)
    if from_today is None:
        from_today = -2 if words.endswith("yesterday") else 2
    return build_span_meaning(lambda said: spans.shift_by_units(said, "day", from_today))


def _shifted(match: re.Match[str]) -> PhraseMeaning:
    found = match.groupdict()
    sign = -1 if found.get("ago") else 1
    if found.get("half"):
        return build_span_meaning(lambda said: spans.shift_by_units(said, "minute", sign * 30))
    unit, count = parse_unit(match["unit"]), sign * parse_english_number(match["count"])
    return build_span_meaning(lambda said: spans.shift_by_units(said, unit, count))


def _around(match: re.Match[str]) -> PhraseMeaning | None:
    unit = parse_unit(match["unit"])
    if unit in {"minute", "hour"}:
        return None
    count = parse_english_number(match["count"] or "one") * (
        -1 if match["which"].lower() in {"next", "coming"} else 1
    )
    return build_span_meaning(lambda said: spans.span_around_now(said, unit, count))


def _week_day(match: re.Match[str]) -> PhraseMeaning:
    found = match.groupdict()
    weekday = parse_weekday(match["weekday"])
    which = found.get("which") or found.get("of")
    if which is None:
        if is_habit(match.string, *match.span()):
            return PhraseMeaning(recurrence=Recurrence(WEEKLY, 1, (weekday,)))
        return build_span_meaning(lambda said: spans.nearest_weekday(said, weekday))
    if which.lower() == "this past":
        return build_span_meaning(
            lambda said: spans.nearest_weekday(SpeechTime(said.at, TimeDirection.PAST), weekday)
        )
    if which.lower() == "this" and not found.get("of"):
        return build_span_meaning(lambda said: _this_weekday(said, weekday))
    offset = WHICH[which.lower()]
    return build_span_meaning(lambda said: spans.day_of_week(said, offset, weekday))


def _this_weekday(said: SpeechTime, weekday: int) -> CalendarSpan:
    """Return the day of this week, unless it is over and something is to come.

    “I'll start this Monday”.
    """
    day = spans.day_of_week(said, 0, weekday)
    over = day.start.date() < said.today and said.direction is TimeDirection.FUTURE
    return spans.day_of_week(said, 1, weekday) if over else day


def _weekends_ago(match: re.Match[str]) -> PhraseMeaning:
    count = parse_english_number(match["count"])
    return build_span_meaning(lambda said: spans.weekend(said, -count))


def _weekend(match: re.Match[str]) -> PhraseMeaning:
    if is_habit(match.string, *match.span()):
        return PhraseMeaning(recurrence=Recurrence(WEEKLY, 1, WEEKEND))
    return build_span_meaning(spans.nearest_weekend)


def _unit_of_calendar(match: re.Match[str]) -> PhraseMeaning:
    found = match.groupdict()
    unit, twice = match["unit"].lower(), found.get("twice")
    if twice:
        offset = -2 if twice.lower() == "before last" else 2
    else:
        offset = WHICH[match["which"].lower()]
    return build_span_meaning(lambda said: find_calendar_unit(said, unit, offset))


def find_calendar_unit(said: SpeechTime, unit: str, offset: int) -> CalendarSpan:
    year = said.today.year
    match unit:
        case "week":
            return spans.week_span(said, offset)
        case "weekend":
            return spans.weekend(said, offset)
        case "month":
            return spans.month_from(said, offset)
        case "quarter":
            return spans.quarter_from(said, offset)
        case "year":
            return spans.year_of(year + offset)
        case _:
            return _nearest_season(said, _SEASONS[unit], offset)


def _nearest_season(said: SpeechTime, season: int, offset: int) -> CalendarSpan:
    """Last and next are the nearest that is over, or not yet begun; this is of this year."""
    year = said.today.year
    if offset == 0:
        return spans.season_of(year, season)
    years = (year, year - 1, year - 2) if offset < 0 else (year, year + 1)
    found = (spans.season_of(year, season) for year in years)
    if offset < 0:
        return next(span for span in found if span.end <= said.at)
    return next(span for span in found if span.start > said.at)


def _edge(match: re.Match[str]) -> PhraseMeaning:
    edge = match["edge"].lower()
    if match["month"]:
        month = parse_month(match["month"])
        return build_span_meaning(lambda said: _edge_of(spans.nearest_month(said, month), edge))
    unit, offset = match["unit"].lower(), WHICH.get((match["which"] or "this").lower(), 0)
    return build_span_meaning(lambda said: _edge_of(find_calendar_unit(said, unit, offset), edge))


def _out(match: re.Match[str]) -> PhraseMeaning:
    unit = match["unit"].lower()
    return build_span_meaning(lambda said: _edge_of(find_calendar_unit(said, unit, 0), "end"))


def _edge_of(span: CalendarSpan, edge: str) -> CalendarSpan:
    first = span.start.date()
    if (span.end - span.start).days > spans.LONGEST_MONTH:
        month = {"end": 12, "middle": 6}.get(edge, 1)
        return spans.month_of(first.year, month, 2 if edge == "middle" else 1)
    in_week = span.granularity == "week"
    match edge:
        case "end":
            return spans.day_span(first + spans.TO_FRIDAY) if in_week else spans.last_day_of(span)
        case "middle":
            return spans.day_span(first + spans.TO_WEDNESDAY if in_week else first.replace(day=15))
        case _:
            return spans.day_span(first)


def _part_of_year(match: re.Match[str]) -> PhraseMeaning:
    found = match.groupdict()
    year, offset = found["year"], WHICH[(found["which"] or "this").lower()]

    def resolve(said: SpeechTime) -> CalendarSpan:
        number = int(year) if year else said.today.year + offset
        if found["quarter"]:
            return spans.quarter_of(number, int(found["quarter"]))
        if found["ordinal"]:
            return spans.quarter_of(number, parse_english_number(found["ordinal"]))
        if found["season"]:
            return spans.season_of(number, _SEASONS[found["season"].lower()])
        return spans.half_of(number, 1 if found["half"].lower() in {"first", "1"} else 2)

    return build_span_meaning(resolve)


def _holiday(match: re.Match[str]) -> PhraseMeaning:
    name, year = match["holiday"].lower().replace("’", "'"), match["year"]
    which = (match["which"] or "").lower()
    if match["of"]:
        offset = WHICH[match["of"].lower()]
        return build_span_meaning(lambda said: find_holiday(name, said.today.year + offset))
    if year:
        return build_span_meaning(lambda _said: find_holiday(name, int(year)))
    if not which:
        return PhraseMeaning(
            resolve=lambda said: find_nearest_holiday(said, name), recurs_yearly=True
        )
    if which == "this":
        return build_span_meaning(lambda said: find_holiday(name, said.today.year))
    direction = TimeDirection.PAST if which == "last" else TimeDirection.FUTURE
    return build_span_meaning(
        lambda said: find_nearest_holiday(SpeechTime(said.at, direction), name)
    )


def _beside_a_holiday(match: re.Match[str]) -> PhraseMeaning:
    """“The day before Christmas Eve”."""
    name = match["holiday"].lower().replace("’", "'")
    days = 1 if match["way"].lower() == "after" else -1

    def resolve(said: SpeechTime) -> CalendarSpan | None:
        holiday = find_nearest_holiday(said, name)
        return (
            None if holiday is None else spans.day_span(holiday.start.date() + timedelta(days=days))
        )

    return PhraseMeaning(resolve=resolve, recurs_yearly=True)


ENGLISH = (
    build_phrase(
        (
            rf"(?:\bon\s+)?\b(?:the\s+)?day\s+(?P<way>before|after)\s+(?P<holiday>{_HOLIDAY})\b"
            r"(?!['’]s)"
        ),
        _beside_a_holiday,
    ),
    *ENGLISH_MONTHS,
    build_phrase(
        (
            r"(?P<day>\b(?:the )?day (?:before yesterday|after (?:tomorrow|tmrw|tmr|tmw|tomoz))"
            r"|\b(?:today|tomorrow|yesterday))\b(?!['’]s\b)"
        ),
        _day,
    ),
    build_phrase(
        rf"\b(?:(?P<half>half an hour)|(?P<count>{NUMBER})\s+{UNIT})\s+(?P<ago>ago|earlier)\b",
        _shifted,
    ),
    build_phrase(
        rf"\b(?P<count>{NUMBER})\s+{UNIT}\s+(?:left|to go)(?=\s+(?:for|till?|until|before|to)\b)",
        _shifted,
    ),
    build_phrase(
        (
            rf"(?<!\btime )\bin\s+(?!a minute\b)(?:(?P<half>half an hour)|(?P<count>{NUMBER})\s+"
            rf"{UNIT})\b(?! (?:of|ago)\b)"
        ),
        _shifted,
    ),
    build_phrase(rf"\b(?:in\s+)?(?P<count>{NUMBER})\s+{UNIT}\s+from\s+(?:now|today)\b", _shifted),
    build_phrase(
        rf"\bthe\s+(?P<which>past|last|next|coming)\s+(?P<count>{NUMBER})\s+{UNIT}\b", _around
    ),
    build_phrase(rf"\bthe\s+(?P<which>past)\s+(?P<count>){UNIT}\b", _around),
    build_phrase(rf"\b(?P<count>{NUMBER})\s+weekends\s+ago\b", _weekends_ago),
    build_phrase(r"\b(?:over|on|at)\s+the\s+weekend\b(?!s|\s+(?:of|before|after))", _weekend),
    build_phrase(
        (
            r"\b(?:(?P<which>last|this past|this|next)|on)\s+(?P<weekday>"
            r"(?-i:Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun))\b"
        ),
        _week_day,
    ),
    build_phrase(
        rf"{ON}\b(?:{WHICH_ONE}\s+)?{WEEKDAY}(?:\s+(?:of\s+)?(?P<of>last|this|next)\s+week)?\b"
        r"(?!['’]s\s+(?:good|bad|fine|ok|okay|best|better|my|our|a|an|the|not|out|off|free|full"
        r"|usually|always|when)\b|\s+(?:is|was)\b)",
        _week_day,
    ),
    build_phrase(
        (
            rf"\b{WHICH_ONE}\s+(?P<unit>week(?:end)?|month|quarter|year|spring|summer|autumn|fall"
            r"|winter)\b"
        ),
        _unit_of_calendar,
    ),
    build_phrase(
        r"\bthe\s+(?P<unit>week(?:end)?|month|year)\s+(?P<twice>before last|after next)\b",
        _unit_of_calendar,
    ),
    build_phrase(
        r"(?:\b(?:at|in|around|towards?)\s+)?\b(?:the\s+)?(?P<edge>beginning|start|middle"
        r"|end)\s+of\s+"
        rf"(?:the\s+)?(?:(?P<which>last|this|next)\s+)?(?:(?P<unit>week|month|year)\b|{MONTH})",
        _edge,
    ),
    build_phrase(r"\bthe\s+(?P<unit>week|month|year)(?:['’]s|\s+is)\s+(?P<edge>out|over)\b", _out),
    build_phrase(
        r"(?:\bin\s+)?(?:\b(?:Q|quarter\s)(?P<quarter>[1-4])|\b(?:the\s+)?"
        r"(?P<ordinal>first|second|third|fourth)\s+quarter|\b(?:the\s+)?"
        r"(?P<half>first|second)\s+half"
        rf"|\b(?:the\s+)?(?P<season>spring|summer|autumn|fall|winter))\s+(?:of\s+)?(?:{YEAR}\b|"
        r"(?P<which>this|last|next)\s+year\b)",
        _part_of_year,
    ),
    build_phrase(
        (
            r"(?:\b(?:on|at|over)\s+)?\b(?:(?P<which>last|this|next)\s+)?(?P<holiday>"
            rf"{_HOLIDAY})\b(?!['’]s|\s+(?:tree|card|carol|present|gift|resolution|egg|sales?\b))"
            rf"(?:\s+(?:of\s+)?(?:{YEAR}\b|(?P<of>last|this|next)\s+year\b))?"
        ),
        _holiday,
    ),
)
