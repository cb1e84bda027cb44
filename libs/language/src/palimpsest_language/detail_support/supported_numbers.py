"""Numbers of a statement that stand in what was said, or are derived from it by one of these ways.

| way | example |
| --- | --- |
| the same value in another writing | 两万三, 2.3万, 23000 |
| a unit put into another | half an hour, 30 minutes; two weeks, 14 days; 八折, 80 |
| a time resolved | "tomorrow" said on 2026-03-10, 11 |
| things counted that are listed | "Pip and Moss", two |
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from palimpsest_language.detail_support.resolved_times import list_resolved_numbers
from palimpsest_language.detail_support.source_words import SourceText, SourceWords
from palimpsest_language.wording.numbers import WrittenNumber, find_numbers

_CONVERSIONS = (
    (re.compile(r"周|星期|礼拜|weeks?\b", re.IGNORECASE), (7,)),
    (re.compile(r"年|岁|years?\b", re.IGNORECASE), (12,)),
    (re.compile(r"小时|钟头|hours?\b", re.IGNORECASE), (60,)),
    (re.compile(r"公斤|千克|\bkilos?\b|kgs?\b", re.IGNORECASE), (2, 1000)),
    (re.compile(r"公里|kilomet|km\b", re.IGNORECASE), (1000,)),
    (re.compile(r"(?<=[一二三四五六七八九\d])[成折]"), (10,)),
    (re.compile(r"百分之|percent|[%％]", re.IGNORECASE), (Decimal("0.01"),)),
)
"""Units, and the factors to a smaller unit."""
_MONTH_EN = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_PARTS = (
    (re.compile(r"半|\bhalf\b", re.IGNORECASE), ("0.5", "30", "6", "50")),
    (re.compile(r"一刻|三刻|\bquarters?\b", re.IGNORECASE), ("15", "45", "3", "25", "0.25")),
    (re.compile(r"两口子|夫妻|夫妇|双胞胎|\b(?:twins|couple|both|pair)\b", re.IGNORECASE), ("2",)),
    (re.compile(r"三胞胎|\btriplets\b", re.IGNORECASE), ("3",)),
    (re.compile(r"\bonce\b|\bsingle\b", re.IGNORECASE), ("1",)),
    (re.compile(r"\btwice\b|\bdouble", re.IGNORECASE), ("2",)),
)
"""Words that imply a number, with their numbers in different units."""
_TIME = re.compile(
    r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}"
    r"|\d{1,4}[年月日号点时分]|[一二三四五六七八九十]{1,3}[月日号点]"
    rf"|\b(?:{_MONTH_EN})[a-z]*\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH_EN})[a-z]*\.?(?:,? \d{{4}})?\b"
    rf"|\b(?:{_MONTH_EN})[a-z]*\.? \d{{4}}\b|\b(?:19|20)\d\d\b"
    r"|\b(?:the )?\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2} ?[ap]\.?m\b|\bat \d{1,2}\b(?!:)",
    re.IGNORECASE,
)
"""Places of a resolved time's numbers; elsewhere a number counts something."""
_SEPARATOR = re.compile(r"[,，、;；&]|\band\b|[和跟与及]|\bthen\b", re.IGNORECASE)
_MEASURE = re.compile(
    r"\s?(?:年级|岁|年|个?月|天|日|号|点|周|楼|层|块|元|万|斤|公斤|公里|米|个|只|条|张|本|杯|次|人|位|口|套|辆"
    r"|小时|美元|欧元|度)"
)
"""Measures behind a single Chinese digit; with them it counts, and is no part of another word."""


def find_unsupported_number(text: str, sources: SourceWords) -> str | None:
    """Return the words of the first number without support; None without one."""
    in_times = [match.span() for match in _TIME.finditer(text)]
    for number in _list_claims(text):
        words = text[number.start : number.end]
        if _stands_in(words, sources.near_text):
            continue
        known = _list_values(sources.near)
        if any(start <= number.start < end for start, end in in_times):
            known |= _list_times(sources.near)
        if number.value not in known:
            return words
    return None


def _list_claims(text: str) -> Iterator[WrittenNumber]:
    """Yield the numbers of a text; 2.3万 is one number, with its scale."""
    claims = (number for number in find_numbers(text) if number.in_digits or _counts(text, number))
    by_start: dict[int, WrittenNumber] = {}
    for number in claims:
        by_start[number.start] = number
    for number in by_start.values():
        inside = any(other.start < number.start < other.end for other in by_start.values())
        if not inside:
            yield number


def _counts(text: str, number: WrittenNumber) -> bool:
    """Tell whether number words count something: “one another”, 一起 and 十分 do not."""
    if number.value <= 1 or text[number.start : number.end].casefold() == "second":
        return False
    words = text[number.start : number.end]
    return len(words) > 1 or _MEASURE.match(text, number.end) is not None


def _stands_in(words: str, text: str) -> bool:
    whole = rf"(?<![\d.]){re.escape(words.casefold())}(?!\d|[.,]\d)"
    return re.search(whole, text) is not None


@lru_cache(maxsize=256)
def _list_values(sources: tuple[SourceText, ...]) -> frozenset[Decimal]:
    values: set[Decimal] = set()
    for source in sources:
        values |= _list_stated_values(source.text)
    listed = max((len(_SEPARATOR.findall(source.text)) for source in sources), default=0)
    return frozenset(values | {Decimal(count) for count in range(2, listed + 2)})


@lru_cache(maxsize=256)
def _list_times(sources: tuple[SourceText, ...]) -> frozenset[Decimal]:
    return frozenset(
        Decimal(number) for source in sources for number in list_resolved_numbers(source)
    )


def _list_stated_values(text: str) -> set[Decimal]:
    stated = {number.value for number in find_numbers(text)}
    values = set(stated)
    for unit, factors in _CONVERSIONS:
        if unit.search(text):
            values |= {value * factor for value in stated for factor in factors}
    for words, numbers in _PARTS:
        if words.search(text):
            values |= set(map(Decimal, numbers))
            values |= {value + Decimal("0.5") for value in stated}
    return values
