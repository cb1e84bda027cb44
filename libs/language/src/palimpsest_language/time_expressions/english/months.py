"""English months, years and dates."""

import re
from datetime import timedelta

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.english.shared_words import (
    DAY,
    MONTH,
    ON,
    WHICH,
    WHICH_ONE,
    YEAR,
    build_phrase,
    build_span_meaning,
    is_month,
    is_month_of_date,
    is_written_as_date,
    parse_month,
)
from palimpsest_language.time_expressions.numerals import ORDINAL, parse_ordinal
from palimpsest_language.time_expressions.phrases import PhraseMeaning
from palimpsest_language.time_expressions.spans import CalendarSpan, SpeechTime, TimeDirection

_NOT_COUNTED = (
    r"(?!\s+(?:floor|page|line|time|try|attempt|place|day|row|step|version|grade|edition|street"
    r"|week|half|quarter|month|year|round|season|chapter|draft|batch))"
)
_BEFORE_A_DAY = (
    r"(?:(?<=\bby )|(?<=\bis )|(?<=\bon )|(?<=\bdue )|(?<=\btill )|(?<=\buntil )|(?<=\bfrom )|"
    r"(?<=\bbefore )"
    r"|(?<=\bafter )|(?<=\bto )|(?<=\btil )|(?<=\bsince )|(?<=\bfor )|(?<=['’]s ))"
)
"""Words behind which a day of the month is meant without "on": "by the 1st"."""


_COUNTED_DAY = re.compile(r"[0-9](?:st|nd|rd|th)\b|\bof\b", re.IGNORECASE)
"""“The 1st of march” is no other word, however it is written."""


def _month(match: re.Match[str]) -> PhraseMeaning | None:
    found = match.groupdict()
    plainly = found.get("plainly") is not None
    if not (is_month(match["month"]) or plainly or found.get("which")):
        return None
    month, year = parse_month(match["month"]), found.get("year")
    if year:
        return build_span_meaning(lambda _said: spans.month_of(int(year), month))
    which = (found.get("which") or "").lower()
    weak = not (which or plainly)
    return build_span_meaning(lambda said: _which_month(said, month, which), weak=weak)


def _which_month(said: SpeechTime, month: int, which: str) -> CalendarSpan:
    """Last and next are the nearest that is over, or not yet begun."""
    if which == "this":
        return spans.month_of(said.today.year, month)
    if which and month == said.today.month:
        return spans.month_of(said.today.year + WHICH[which], month)
    if which:
        direction = TimeDirection.PAST if which == "last" else TimeDirection.FUTURE
        return spans.nearest_month(SpeechTime(said.at, direction), month)
    return spans.nearest_month(said, month)


def _date(match: re.Match[str]) -> PhraseMeaning | None:
    counted = match.start("day") < match.start("month") and match["month"].lower() != "may"
    said = (
        counted
        or is_month_of_date(match["month"])
        or _COUNTED_DAY.search(match[0])
        or is_written_as_date(match)
    )
    return read_written_date(match) if said else None


def read_written_date(match: re.Match[str]) -> PhraseMeaning | None:
    """By the groups `month`, `day` and `year`, of which the year may be missing."""
    month, day = parse_month(match["month"]), int(match["day"])
    year = match["year"]
    if not 1 <= day <= 31:
        return None
    if year:
        return build_span_meaning(lambda _said: spans.find_date(int(year), month, day))
    return PhraseMeaning(
        resolve=lambda said: spans.nearest_date(said, month, day), recurs_yearly=True
    )


def _ordinal_date(match: re.Match[str]) -> PhraseMeaning:
    month, day, year = parse_month(match["month"]), parse_ordinal(match["ordinal"]), match["year"]
    if year:
        return build_span_meaning(lambda _said: spans.find_date(int(year), month, day))
    return PhraseMeaning(
        resolve=lambda said: spans.nearest_date(said, month, day), recurs_yearly=True
    )


def _last_day(match: re.Match[str]) -> PhraseMeaning | None:
    whole = _month(match)
    if whole is None or whole.resolve is None:
        return None
    resolve = whole.resolve

    def last(said: SpeechTime) -> CalendarSpan | None:
        month = resolve(said)
        if month is None:
            return None
        day = month.end - timedelta(days=1)
        return spans.find_date(day.year, day.month, day.day)

    return build_span_meaning(last)


def _edge_of_month(match: re.Match[str]) -> PhraseMeaning:
    offset, last = WHICH.get(match["which"].lower(), 0), match["edge"].lower() == "last"

    def resolve(said: SpeechTime) -> CalendarSpan:
        month = spans.month_from(said, offset)
        return spans.last_day_of(month) if last else spans.day_span(month.start.date())

    return build_span_meaning(resolve)


def _day_of_month(match: re.Match[str]) -> PhraseMeaning | None:
    day = int(match["day"])
    return (
        build_span_meaning(lambda said: spans.nearest_day_of_month(said, day))
        if 1 <= day <= 31
        else None
    )


def _year(match: re.Match[str]) -> PhraseMeaning:
    year = int(match["year"])
    return build_span_meaning(lambda _said: spans.year_of(year), weak=match["plainly"] is None)


ENGLISH_MONTHS = (
    build_phrase(
        (
            rf"(?<=\bthe )(?P<plainly>)(?!(?:19|20)00){YEAR}\b(?=\s+(?-i:[a-z]{{3,}})\b)(?!\s+"
            r"(?:people|users|dollars|euros|pounds|lines|rows|files|words|steps|calories|items"
            r"|pages|ones)\b)"
        ),
        _year,
    ),
    build_phrase(rf"\b(?P<plainly>in(?:\s+the)?|during)\s+{MONTH}(?:,?\s+{YEAR}\b)?", _month),
    build_phrase(
        (
            r"(?P<plainly>(?<=\ball )|(?<=\bmost of )|(?<=\brest of )|(?<=\bend of )|"
            r"(?<=\bsince )|(?<=\btill )|(?<=\btil )|(?<=\buntil )|(?<=\bthrough )|"
            rf"(?<=\bbefore )|(?<=\bafter )|(?<=\bby ))(?!may\s+(?:be|have|not|need)\b){MONTH}"
            rf"(?!\s+[0-9]{{1,2}}\b)(?:,?\s+{YEAR}\b)?"
        ),
        _month,
    ),
    build_phrase(
        (
            rf"(?P<plainly>(?<=\bfor )|(?<=\bof )|(?<=[.;,] ))(?-i:(?=[JFMASOND])){MONTH}"
            rf"(?!\s+[0-9]{{1,2}}\b)(?:,?\s+{YEAR}\b)?(?=\s+(?:was|is|were|came|bill|numbers"
            r"|report|rent|invoice|salary|figures|results)\b|\s*(?:[,.;)]|$))"
        ),
        _month,
    ),
    build_phrase(
        (
            rf"(?P<plainly>^|(?<=[.;,] ))(?=(?:jan|feb|jul|sep|oct|nov|dec)){MONTH}(?=\s+"
            r"(?:I|we|my|our|he|she|they|[a-z]+\s+(?:got|was|had|went|left|came|died|lost|moved"
            r"|broke|began|started|quit|bought|sold|met|married))\b)"
        ),
        _month,
    ),
    build_phrase(rf"\b{WHICH_ONE}\s+{MONTH}", _month),
    build_phrase(rf"\b{MONTH}(?:,?\s+{YEAR}\b)?", _month),
    build_phrase(rf"{ON}\b{MONTH}\s+(?:the\s+)?{DAY}\b(?:,?\s+{YEAR}\b)?", _date),
    build_phrase(rf"{ON}\b{DAY}\s+(?:of\s+)?{MONTH}(?:,?\s+{YEAR}\b)?", _date),
    build_phrase(
        (
            rf"\bon\s+(?:the\s+)?(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)\b{_NOT_COUNTED}"
            r"(?!\s+of\s+every)(?!\s+(?:Street|Avenue|St|Ave|floor)\b)"
        ),
        _day_of_month,
    ),
    build_phrase(
        rf"{_BEFORE_A_DAY}\bthe\s+(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)\b{_NOT_COUNTED}(?!\s+of\b)",
        _day_of_month,
    ),
    build_phrase(
        (
            r"\b(?:on|since|from|until|till?|by)\s+the\s+(?P<day>[12][0-9]|3[01]|[1-9])(?=\s*"
            r"(?:[.!;),]|$|at\b|from\b))(?!\.[0-9])"
        ),
        _day_of_month,
    ),
    build_phrase(
        rf"{ON}\b(?:the\s+)?(?P<ordinal>{ORDINAL})\s+of\s+{MONTH}(?:,?\s+{YEAR}\b)?", _ordinal_date
    ),
    build_phrase(
        rf"{ON}\b{MONTH}\s+(?:the\s+)?(?P<ordinal>{ORDINAL})\b(?:,?\s+{YEAR}\b)?", _ordinal_date
    ),
    build_phrase(
        (
            r"(?:(?<=\bbefore )|(?<=\bby )|(?<=\btil )|(?<=\btill )|(?<=\buntil )|(?<=\bsince )|"
            r"(?<=\bfrom )|(?<=\bbtw )|(?<=\bon ))(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)\b"
            rf"{_NOT_COUNTED}(?!\s+(?:of\b|{MONTH.replace('?P<month>', '?:')}))"
        ),
        _day_of_month,
    ),
    build_phrase(
        (
            rf"{ON}\b(?:the\s+)?(?P<edge>first|1st|last)\s+(?:day\s+)?of\s+"
            r"(?P<which>this|next|last|the)\s+month\b"
        ),
        _edge_of_month,
    ),
    build_phrase(
        (
            r"\bthe\s+(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)\b(?=\s*(?:[.!;),]|$)|\s+(?:and|or)\s+"
            r"(?:the\s+)?[0-9]{1,2}(?:st|nd|rd|th)\b|,? (?:works|suits|is "
            r"(?:fine|good|ok|better|out|the)|or the [0-9]))"
        ),
        _day_of_month,
    ),
    build_phrase(
        rf"{ON}\b(?:the\s+)?last\s+day\s+of\s+{MONTH}(?:,?\s+{YEAR}\b)?",
        _last_day,
    ),
    build_phrase(
        (
            r"(?:\b(?P<plainly>est\.?|established|class\s+of|back\s+in|circa|"
            rf"(?:summer|spring|autumn|fall|winter)\s+of)\s+){YEAR}\b(?![.,:/-]?[0-9])"
        ),
        _year,
    ),
    build_phrase(
        (
            rf"(?P<plainly>(?<=[,(] )|(?<=\()|^)(?!(?:19|20)00){YEAR}(?=\s*(?:[,;)]|$|\."
            r"(?![0-9])))(?!,[0-9])"
        ),
        _year,
    ),
    build_phrase(
        (
            r"(?P<plainly>(?<=[a-z] )|(?<=[a-z], )|(?<=\band )|(?<=\bthe ))(?<!\bport )"
            r"(?<!\berror )(?<!\bcode )(?<!\bline )(?<!\bof )(?<!\bto )(?<!\bbuild )"
            rf"(?<!\bversion )(?!(?:19|20)00)(?<![$€£#]){YEAR}\b(?=\s*(?:[,;)]|$|\.(?![0-9]))|\s+"
            r"(?:and|or|when|until|till|because|with|after|before|flood|floods|outage|incident"
            r"|panic|accident|crash|season|election|elections|edition|crisis|fire|strike"
            r"|recession|lockdown|pandemic|earthquake|storm|tour|wedding|reunion|marathon|final"
            r"|finals|budget|audit|merger|layoffs?|move|trip|exam|cohort|harvest|vintage)\b)"
        ),
        _year,
    ),
    build_phrase(
        (
            rf"(?:\b(?P<plainly>in)\s+)?(?<![0-9.,$€£#-]){YEAR}\b(?![.,:/-]?[0-9])(?!\s+"
            r"(?:dollars|euros|pounds|people))"
        ),
        _year,
    ),
)
