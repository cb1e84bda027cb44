"""Dates and years of English in figures: 12.09.2026, "by 28/9", "January '74", "in '98"."""

import re

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.english.shared_words import (
    MONTH,
    build_phrase,
    build_span_meaning,
    parse_month,
)
from palimpsest_language.time_expressions.phrases import PhraseMeaning

_CENTURY_TURNS = 50
"""'74 is 1974, '19 is 2019."""


def _full_year(short: int) -> int:
    return short + (1900 if short >= _CENTURY_TURNS else 2000)


def _european_date(match: re.Match[str]) -> PhraseMeaning:
    year, month, day = (int(match[name]) for name in ("year", "month", "day"))
    return build_span_meaning(lambda _said: spans.find_date(year, month, day))


def _european_day(match: re.Match[str]) -> PhraseMeaning:
    month, day = match["month"], int(match["day"])
    number = int(month) if month.isdigit() else parse_month(month)
    return PhraseMeaning(
        resolve=lambda said: spans.nearest_date(said, number, day), recurs_yearly=True
    )


def _short_year(match: re.Match[str]) -> PhraseMeaning:
    short = int(match["short_year"])
    return build_span_meaning(lambda _said: spans.year_of(_full_year(short)))


def _month_of_short_year(match: re.Match[str]) -> PhraseMeaning:
    month, short = parse_month(match["month"]), int(match["short_year"])
    return build_span_meaning(lambda _said: spans.month_of(_full_year(short), month))


def _in_figures(match: re.Match[str]) -> PhraseMeaning | None:
    """28/9 and 9/28 can be read in one way only; 3/4 is left alone."""
    one, other = int(match["one"]), int(match["other"])
    day, month = max(one, other), min(one, other)
    if not 12 < day <= 31 or not 1 <= month <= 12:
        return None
    return PhraseMeaning(
        resolve=lambda said: spans.nearest_date(said, month, day), recurs_yearly=True
    )


ENGLISH_FIGURES = (
    build_phrase(
        (
            r"(?<![0-9.])(?P<day>0?[1-9]|[12][0-9]|3[01])\.(?P<month>0?[1-9]|1[0-2])\.(?P<year>"
            r"(?:19|20)[0-9]{2})(?![0-9.])"
        ),
        _european_date,
    ),
    build_phrase(
        (
            r"(?:\bin\s+|(?<=\bsince )|(?<=\bfrom )|(?<=\bsummer )|\bclass of\s+)['’]"
            r"(?P<short_year>[0-9]{2})\b"
        ),
        _short_year,
    ),
    build_phrase(
        (
            r"\bin (?P<short_year>0[0-9]|[5-9][0-9])\b(?=\s*(?:[,;)]|$|\.(?![0-9]))|\s+"
            r"(?:and|when|after|because|but|then|till|until)\b)"
        ),
        _short_year,
    ),
    build_phrase(
        (
            rf"(?:\bin\s+)?\b{MONTH}\s+(?P<short_year>[4-9][0-9])\b(?![.:%,]?[0-9]|\s?"
            r"(?:%|[ap]m|km|kg|euros?|dollars?|bucks|people))"
        ),
        _month_of_short_year,
    ),
    build_phrase(
        (
            r"(?<=\bsince )(?P<short_year>[01][0-9]|2[0-9]|[5-9][0-9])\b(?=\s*(?:[,;)]|$|\."
            r"(?![0-9]))|\s+(?:and|when|but|so)\b)"
        ),
        _short_year,
    ),
    build_phrase(
        (
            r"(?:(?<=\btil )|(?<=\btill )|(?<=\buntil )|(?<=\bbefore )|(?<=\bafter ))['’]"
            r"(?P<short_year>[0-9]{2})\b"
        ),
        _short_year,
    ),
    build_phrase(
        rf"(?:\bin\s+)?\b{MONTH}\s+of\s+['’]?(?P<short_year>[0-9]{{2}})\b", _month_of_short_year
    ),
    build_phrase(
        r"(?<![0-9.])(?P<day>[12][0-9]|3[01]|0?[1-9])\.\s?(?P<month>1[0-2]|0?[1-9])\.(?=\s|$)",
        _european_day,
    ),
    build_phrase(
        rf"(?<![0-9.])(?P<day>[12][0-9]|3[01]|0?[1-9])\.\s{MONTH}",
        _european_day,
    ),
    build_phrase(
        (
            r"(?:\bon\s+)?(?<![0-9.])(?P<day>[12][0-9]|3[01]|0?[1-9])(?:st|nd|rd|th)?(?="
            rf"(?:\s*,\s*|\s+and\s+|\s+or\s+|\s*&\s*)[0-3]?[0-9](?:st|nd|rd|th)?\s+{MONTH})"
        ),
        _european_day,
    ),
    build_phrase(
        rf"(?:\bin\s+)?\b{MONTH}\s+['’](?P<short_year>[0-9]{{2}})\b",
        _month_of_short_year,
    ),
    build_phrase(
        (
            r"(?:\bon\s+|(?<=\bis )|(?<=\bwas )|(?<=['’]s )|(?<=\bits )|(?<=\bfor )|(?<=\bto )|"
            r"(?<=\bout )|(?<=\bends )|(?<=\bstarts )|(?<=\bexpires )|(?<=\bby )|(?<=\bdue )|"
            r"(?<=\bsince )|(?<=\bbefore )|(?<=\bfrom )|(?<=\buntil )|(?<=\btill )|(?<=\btil ))"
            r"(?P<one>[0-3]?[0-9])/(?P<other>[0-3]?[0-9])(?![0-9/.%])"
        ),
        _in_figures,
    ),
)
