"""The right words put in the place of the wrong ones that they are shaped like.

"Two cats" stands where “three cats” stood, 去烟台 where 去青岛 stood: the words that both have, or
their shape, tell the place. Nothing is put anywhere where two places fit.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese

MAX_TOKENS = 8
"""Longer words are a sentence of their own."""

_TOKEN = re.compile(
    r"[£$€¥]?\d+(?:[.,:：/-]\d+)*(?:st|nd|rd|th|am|pm)?\b|[£$€¥]?\d+(?:[.,:：/-]\d+)*"
    r"|[零一二两三四五六七八九十百千万半]+(?=[^一-鿿]|[个只条位口岁点月号日斤公块元万楼张本份把次台杯人])"
    r"|[^\W\d_㐀-鿿]+(?:['’-][^\W\d_]+)*|[㐀-鿿]",
)
_NUMBER_EN = re.compile(
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty|half|first"
    "|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|dozen",
    re.IGNORECASE,
)
_DAY_EN = re.compile(
    "(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|tonight", re.IGNORECASE
)
_MONTH_EN = re.compile(
    "january|february|march|april|may|june|july|august|september|october|november|december",
    re.IGNORECASE,
)
_NUMBER_ZH = re.compile("[零一二两三四五六七八九十百千万半]+")
_LIGHT_WORDS = """
    the a an my our his her its their is are was were be to of in on at for and it that i we user
    user's s no not yes or so he she you they this 的 是 在 了 我 有 个 用 户 上 天
"""
_LIGHT = frozenset(_LIGHT_WORDS.split())
_OPPOSITES = (
    "left right", "morning evening", "morning afternoon", "older younger", "north south",
    "east west", "upstairs downstairs", "before after", "brother sister", "mother father",
    "mum dad", "mom dad", "son daughter", "uncle aunt", "nephew niece", "wife husband",
    "左 右", "上午 下午", "早上 晚上", "哥哥 弟弟", "姐姐 妹妹", "儿子 女儿", "前 后", "男 女",
    "东 西", "南 北", "爸 妈", "爷爷 奶奶", "外公 外婆",
)  # fmt: skip
_OPPOSITE = {
    word: other
    for line in _OPPOSITES
    for one, two in [line.split()]
    for word, other in ((one, two), (two, one))
}


_BEFORE_NAMES = frozenset(
    (
        "at",
        "by",
        "called",
        "for",
        "from",
        "in",
        "is",
        "named",
        "near",
        "of",
        "on",
        "to",
        "via",
        "with",
    )
)
_SAME_NAME = 0.5
"""Likeness from which a name is taken for another one mistyped, by difflib's ratio."""


_GRADE = re.compile(
    r"(?:小学|初中|高中)?[一二三四五六七八九]年级|初[一二三]|高[一二三]|大[一二三四]|研[一二三]|[小中大]班"
    r"|\b(?:year|grade) \w+|\b\w+ grade\b|\bsixth form\b|\bkindergarten\b",
    re.IGNORECASE,
)
"""School years, whose names have no words or shape in common."""


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    shape: str


class PutRight(NamedTuple):
    said: str
    """The statement with the right words in it."""
    wrong: str
    """The words that they took the place of."""
    right: str


def put_right(said: str, right: str) -> PutRight | None:
    """Put the right words in the place of those like them; None where no one place fits."""
    if (grade := _put_grade(said, right)) is not None:
        return grade
    tokens, words = _read(said), _read(right)
    if not words or len(words) > MAX_TOKENS or len(words) > len(tokens):
        return None
    return (
        _put_by_words(said, tokens, words, right)
        or _put_by_shape(said, tokens, words, right)
        or _put_opposite(said, tokens, words)
        or _put_number(said, tokens, words)
    )


def _put_grade(said: str, right: str) -> PutRight | None:
    """Replace the only school year by another: 初三 for 三年级, “sixth form” for “year 6”."""
    grades, places = [*_GRADE.finditer(right)], [*_GRADE.finditer(said)]
    if len(grades) != 1 or len(places) != 1:
        return None
    return _with(said, places[0].start(), places[0].end(), grades[0][0])


def _put_by_words(
    said: str, tokens: Sequence[_Token], words: Sequence[_Token], right: str
) -> PutRight | None:
    """Replace a window of as many words that has some of them, else words of the same shapes."""
    best: tuple[int, int] | None = None
    for start in range(len(tokens) - len(words) + 1):
        window = tokens[start : start + len(words)]
        pairs = list(zip(window, words, strict=True))
        same = sum(_equal(one, other) for one, other in pairs)
        heavy = any(
            _equal(one, other) and one.text.casefold() not in _LIGHT for one, other in pairs
        )
        if same == len(words) or not heavy or not all(_fit(one, other) for one, other in pairs):
            continue
        if best is None or same >= best[0]:
            best = (same, start)
    return (
        None
        if best is None
        else _replaced(said, tokens[best[1] : best[1] + len(words)], words, right)
    )


def _put_by_shape(
    said: str, tokens: Sequence[_Token], words: Sequence[_Token], right: str
) -> PutRight | None:
    """Replace the only word, or words, of their shape: a name for a name, a day for a day."""
    shapes = [word.shape for word in words]
    if {"word", "character"} & set(shapes):
        return None
    found = [
        start
        for start in range(len(tokens) - len(words) + 1)
        if [token.shape for token in tokens[start : start + len(words)]] == shapes
        and not (start == 0 and shapes[0] == "name")
    ]
    if len(found) != 1 or not _may_be_another_name(tokens, found[0], words[0]):
        return None
    return _replaced(said, tokens[found[0] : found[0] + len(words)], words, right)


def _may_be_another_name(tokens: Sequence[_Token], place: int, right: _Token) -> bool:
    """Tell whether a bare name may stand here: a place or a naming, or the same name mistyped."""
    if right.shape != "name":
        return True
    before = tokens[place - 1].text.casefold()
    wrong = tokens[place].text.casefold()
    likeness = SequenceMatcher(None, wrong, right.text.casefold()).ratio()
    return before in _BEFORE_NAMES or likeness >= _SAME_NAME


def _put_opposite(said: str, tokens: Sequence[_Token], words: Sequence[_Token]) -> PutRight | None:
    for word in words:
        other = _OPPOSITE.get(word.text.casefold())
        places = [token for token in tokens if token.text.casefold() == other]
        if other is not None and len(places) == 1:
            return _with(said, places[0].start, places[0].end, word.text)
    return None


def _put_number(said: str, tokens: Sequence[_Token], words: Sequence[_Token]) -> PutRight | None:
    """Replace the number alone where each side has one: “eight people” for “a table for six”."""
    numbers = [word for word in words if word.shape == "number"]
    places = [token for token in tokens if token.shape == "number"]
    if len(numbers) != 1 or len(places) != 1 or words[0] is not numbers[0] or len(words) > 2:
        return None
    return _with(said, places[0].start, places[0].end, numbers[0].text)


def _replaced(
    said: str, window: Sequence[_Token], words: Sequence[_Token], right: str
) -> PutRight | None:
    start, end = window[0].start, window[-1].end
    new = right[words[0].start : words[-1].end]
    if said[start:end].casefold() == new.casefold():
        return None
    kept = [not _equal(one, other) for one, other in zip(window, words, strict=True)]
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    wrong = said[window[first].start : window[last].end]
    return PutRight(
        f"{said[:start]}{new}{said[end:]}", wrong, right[words[first].start : words[last].end]
    )


def _with(said: str, start: int, end: int, new: str) -> PutRight | None:
    wrong = said[start:end]
    return None if wrong == new else PutRight(f"{said[:start]}{new}{said[end:]}", wrong, new)


def _equal(one: _Token, other: _Token) -> bool:
    return one.text.casefold() == other.text.casefold()


def _fit(one: _Token, other: _Token) -> bool:
    return _equal(one, other) or one.shape == other.shape


@lru_cache(maxsize=2048)
def _read(text: str) -> tuple[_Token, ...]:
    return tuple(
        _Token(match[0], match.start(), match.end(), _find_shape(match[0]))
        for match in _TOKEN.finditer(text)
    )


def _find_shape(word: str) -> str:
    if ":" in word or "：" in word:
        return "hour"
    if any(character.isdigit() for character in word) or _NUMBER_ZH.fullmatch(word):
        return "number"
    if has_chinese(word):
        return "character"
    shapes = (("day", _DAY_EN), ("month", _MONTH_EN), ("number", _NUMBER_EN))
    plain = "name" if word[0].isupper() else "word"
    return next((shape for shape, pattern in shapes if pattern.fullmatch(word)), plain)
