"""Frames of a statement: its words with a blank for one value. No I/O.

"My rent is $1,200 a month" and "Our rent went up to $1,350 a month" have one frame and two values.
A value is a number with or without its unit, a time of day, a weekday, a colour, or a name behind
"is". A statement with several values has a frame for each.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.wording.normalization import extract_gist
from palimpsest_language.wording.numbers import (
    DIGITS,
    NUMBER_WORDS_EN,
    NUMBER_ZH,
    ORDINALS_EN,
    find_numbers,
)

LONGEST_STATEMENT = 120
"""The most characters of a statement that says one thing."""
MAXIMUM_FRAMES = 4

_TABLE = "value_changes/value_changes"
_BLANK = "_"

_COLOURS_EN = "red|blue|green|yellow|black|white|gr[ae]y|pink|purple|orange|brown|beige|silver"
_UNIT_EN = (
    r"dollars?|bucks|euros?|pounds?|quid|usd|eur|gbp|yuan|kilos?|kgs?|lbs?|stone|minutes?|mins?|hours?"
    r"|hrs?|km|miles?|cm|metres?|meters?|percent|k\b|[ap]\.?m\b\.?|o'clock"
)
_VALUE_EN = re.compile(
    r"(?:\b(?:on|at|in|by|of|the|about|around|just|only|roughly|almost|nearly) )*(?:"
    rf"(?P<times>\b(?:once|twice|thrice)\b|\b{NUMBER_WORDS_EN} times\b|\b{DIGITS} times\b)"
    r"|(?P<hour>\b(?:half an|an) hour(?: and a half)?\b)"
    r"|(?P<number>[$€£¥]? ?(?<![\w.])"
    rf"(?:{ORDINALS_EN}|\d{{1,2}}[:.]\d\d|{DIGITS}|{NUMBER_WORDS_EN})"
    rf"(?:[ -]?(?:{_UNIT_EN})(?![a-z]))?%?(?!\w))"
    r"|(?P<day>\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b)"
    rf"|(?P<colour>\b(?:{_COLOURS_EN})\b))",
    re.IGNORECASE,
)
_NAME_EN = re.compile(
    r"(?<=\bis )(?:(?:called|named|with|at|in) )?"
    r"(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})$"
)
_SPEAKER = re.compile(r"^(?:the user(?:['’]s)?|I|we|my|our) ", re.IGNORECASE)
_TITLE = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof)\. ")
_A_MONTH = re.compile(r" (?:a|per|each|every) month\b|\bmonthly |每个?月|一个月")
"""Money is told with or without its month."""
_TIMES = {"once": "1", "twice": "2", "thrice": "3"}
_THERE_IS = re.compile(r"^there (?:are|is) (.+?) (?:in|on|at) (.+)$", re.IGNORECASE)

_UNIT_ZH = r"个?小时|个?钟头|分钟|块钱?|元|美元|公斤|千克|斤|公里|里|米|厘米|平米?|%|点钟?|号"
_VALUE_ZH = re.compile(
    r"(?P<clock>(?:早上|上午|中午|下午|晚上|傍晚|凌晨|早|晚)?"
    r"(?:\d{1,2}|[一二三四五六七八九十两]{1,3})(?:[点时](?:半|整|一刻|三刻|[零〇]?[\d一二三四五六七八九十]{1,3}分?)?|[:：]\d\d))"
    r"|(?P<day>(?:周|星期|礼拜)[一二三四五六日天末])"
    rf"|(?P<number>第?{NUMBER_ZH}(?:{_UNIT_ZH})?)"
    r"|(?P<colour>[红蓝绿黄黑白灰粉紫橙棕银]色)"
)
_NAME_ZH = re.compile(r"(?<=[是叫])(?P<name>[^一几多少个的是了不有在，。]{2,8})$")
_DROPPED_ZH = re.compile(r"用户|本人|我们?|咱们?|[的了有是在为共只就才都\s]")


class ValueFrame(NamedTuple):
    words: str
    """The words with weight, with a blank for the value."""
    value: str
    is_name: bool

    @property
    def tail(self) -> str | None:
        """Return the value's blank with what is counted; None if nothing is."""
        counted = self.words.partition(_BLANK)[2]
        counts = " " in counted.strip() if counted.isascii() else len(counted) > 1
        return _BLANK + counted if counts else None


def list_frames(statement: str) -> tuple[ValueFrame, ...]:
    """List the frames of a whole statement; none for one that is long or says several things."""
    if len(statement) > LONGEST_STATEMENT:
        return ()
    return _read(_TITLE.sub(r"\1 ", statement.strip().rstrip("。.!！ ").replace("’", "'")))


def find_values(statement: str) -> list[tuple[int, int]]:
    """Find where the values of a statement stand, apart from names."""
    pattern = _VALUE_ZH if has_chinese(statement) else _VALUE_EN
    return [match.span(match.lastgroup or 0) for match in pattern.finditer(statement)]


@lru_cache(maxsize=4096)
def _read(statement: str) -> tuple[ValueFrame, ...]:
    words = read_phrases(_TABLE)["holds_now"].sub("", statement)
    words = _A_MONTH.sub("", read_phrases(_TABLE)["changes_to"].sub(" ", words))
    words = _SPEAKER.sub("", " ".join(words.split()).strip(" ,，"))
    frames = _read_chinese(words) if has_chinese(words) else _read_english(words)
    return tuple(dict.fromkeys(frames))[:MAXIMUM_FRAMES]


def _read_english(words: str) -> Iterator[ValueFrame]:
    words = _THERE_IS.sub(r"\2 \1", words)
    for match in _VALUE_EN.finditer(words):
        counted = " time" if match["times"] else ""
        yield _english_frame(words, match, f" {_BLANK}{counted}")
    named = _NAME_EN.search(words)
    if named is not None and not _VALUE_EN.search(named[0]):
        yield _english_frame(words, named, f" {_BLANK}")._replace(is_name=True)


def _english_frame(words: str, match: re.Match[str], blank: str) -> ValueFrame:
    before, behind = words[: match.start()], words[match.end() :]
    value = match[match.lastgroup or 0]
    gists = [extract_gist(part) if part.strip() else "" for part in (before, behind)]
    return ValueFrame(f"{gists[0]}{blank} {gists[1]}".strip(), _normalized(value), is_name=False)


def _read_chinese(words: str) -> Iterator[ValueFrame]:
    for match in (*_VALUE_ZH.finditer(words), *_NAME_ZH.finditer(words)):
        before, behind = (
            _DROPPED_ZH.sub("", part) for part in (words[: match.start()], words[match.end() :])
        )
        named = match.lastgroup == "name"
        if not named or not _VALUE_ZH.search(match[0]):
            yield ValueFrame(f"{before}{_BLANK}{behind}", _normalized(match[0]), named)


def _normalized(value: str) -> str:
    """Return a number with its unit in one writing: "eight" and "8" are one value."""
    lowered = value.strip().casefold().replace("个小时", "小时")
    number = next(find_numbers(lowered), None)
    if number is None or ":" in lowered:
        return _TIMES.get(lowered, lowered)
    return f"{number.value.normalize():f}{lowered[number.end :].removesuffix(' times')}"
