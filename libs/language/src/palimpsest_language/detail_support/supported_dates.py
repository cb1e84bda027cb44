"""Months and weekdays that were said, or that a said time resolves to."""

import re
from collections.abc import Iterator

from palimpsest_language.detail_support.resolved_times import resolve_times
from palimpsest_language.detail_support.source_words import SourceText, SourceWords

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAYS_ZH = "一二三四五六日"
_MONTH_EN = re.compile(
    r"\b(?P<name>January|February|April|June|July|August|September|October|November|December"
    r"|(?:May|March)(?= \d| of)"
    r"|(?:(?<=in )|(?<=on )|(?<=since )|(?<=until )|(?<=\d ))(?:May|March))\b"
)
_WEEKDAY_EN = re.compile(r"\b(?P<name>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?\b")
_WEEKDAY_ZH = re.compile(r"(?:周|星期|礼拜)(?P<name>[一二三四五六日天])")
_ANY_MONTH = re.compile(
    r"\b(?P<en>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    r"|(?P<zh>\d{1,2}|十[一二]?|[一二三四五六七八九])月",
    re.IGNORECASE,
)
_ANY_WEEKDAY = re.compile(
    r"\b(?P<en>mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])",
    re.IGNORECASE,
)
_NUMERALS = "一二三四五六七八九"


def find_unsupported_date(text: str, sources: SourceWords) -> str | None:
    """Return the first month or weekday of the text without support; None without one."""
    for match in _MONTH_EN.finditer(text):
        month = _MONTHS.index(match["name"][:3].casefold()) + 1
        if not any(month in _list_months(source) for source in sources.near):
            return match["name"]
    for weekday, words in _list_weekdays(text):
        if not any(weekday in _list_said_weekdays(source) for source in sources.near):
            return words
    return None


def _list_weekdays(text: str) -> Iterator[tuple[int, str]]:
    for match in _WEEKDAY_EN.finditer(text):
        yield _WEEKDAYS.index(match["name"][:3].casefold()), match["name"]
    for match in _WEEKDAY_ZH.finditer(text):
        yield _weekday_zh(match["name"]), match[0]


def _list_months(source: SourceText) -> set[int]:
    months = {time.moment.month for time in resolve_times(source)}
    for match in _ANY_MONTH.finditer(source.text):
        if match["en"] is not None:
            months.add(_MONTHS.index(match["en"].casefold()) + 1)
        else:
            months.add(_month_zh(match["zh"]))
    return months


def _list_said_weekdays(source: SourceText) -> set[int]:
    weekdays = {time.moment.weekday() for time in resolve_times(source)}
    for match in _ANY_WEEKDAY.finditer(source.text):
        if match["en"] is not None:
            weekdays.add(_WEEKDAYS.index(match["en"].casefold()))
        else:
            weekdays.add(_weekday_zh(match["zh"]))
    return weekdays


def _weekday_zh(character: str) -> int:
    return _WEEKDAYS_ZH.index("日" if character == "天" else character)


def _month_zh(words: str) -> int:
    if words.isdecimal():
        return int(words)
    return 10 * words.startswith("十") + 1 + _NUMERALS.find(words[-1])
