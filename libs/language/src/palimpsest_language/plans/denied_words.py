"""Statements that a later one calls wrong: "in Leeds", then "in Hull, not in Leeds". Pure.

The later one names the wrong value, and speaks of the same thing. The earlier one is kept under the
words that may be its value: numbers, days, names and its last words.
"""

import re
from functools import lru_cache

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory
from palimpsest_language.attributes.attribute_names import canonical_subject
from palimpsest_language.corrections.denied_values import find_given_up
from palimpsest_language.vocabulary.simplified_characters import simplify_characters
from palimpsest_language.wording.normalization import extract_gist

MAXIMUM_VALUE_WORDS = 10

_HELD = frozenset(
    {Kind.FACT, Kind.PREFERENCE, Kind.CONTEXT, Kind.PATTERN, Kind.GOAL, Kind.DECISION}
)
"""Statements of these tell of what somebody has, does or uses."""

_LATIN = re.compile(r"\d[\d.,:/]*\d|\d+|[^\W\d_\u3400-\u9fff]+")
_NAME = re.compile(r"(?<!^)\b[A-Z][\w’'-]+|\d[\d.,:/]*\d|\d+")
_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|fourth"
    r"|fifth|sixth|seventh|eighth|ninth|tenth)\b",
    re.IGNORECASE,
)
_LAST_CHINESE = re.compile(
    ".*(?:[是叫姓在有为要去用养住到选约订吃喝买学开上的]|住在)([^，。；！？、]{1,10})$"
)
_BEHIND_VERB = re.compile("(?=(?:在|是|去|用(?!户)|叫)([\u3400-\u9fff]{2}))")
_HAD = re.compile(
    r"\b(?:my|our|their|the user['’]s|an?|the)(?:['’]s)? (?:(?:old|little|new|big|second) )*"
    r"([a-z][\w-]{2,})(?: ([a-z][\w-]{2,}))?",
    re.IGNORECASE,
)
"""The thing that somebody has: "my old Fiesta", "an old fabia diesel"."""
_HAD_CHINESE = re.compile(
    "(?:养|打|学|练|玩|买|开|骑|跳|弹|叫|抽|喝|办|是|有)(?:了|着|过)?"
    "(?:[一两二三四五几]?[只条辆台个家张份架把])?[老旧新小大]?([\u4e00-\u9fff]{2})"
)
_ANIMAL = re.compile("[猫狗兔车]")
_CHINESE_DAY = re.compile("(?:周|星期|礼拜)([一二三四五六日天])")
_CHINESE_COUNT = re.compile(
    "([零一二两三四五六七八九十百千万半]+)(?:[个只条位口岁点月号日斤公块元万楼层班]|年级)"
)
_CHINESE_TERM = re.compile("(?=([\u3400-\u9fff]{2}))")
_SHORTEST_WORD = 4
_LIGHT_WORDS = """
    the and her his its our their they user with for from that this has have had was were will are
    not but name called number
"""
_LIGHT = frozenset(_LIGHT_WORDS.split())
_LIGHT_CHINESE = frozenset(("用户", "户的", "不是", "他们", "我们", "现在"))


@lru_cache(maxsize=4096)
def _value_words(content: str) -> tuple[str, ...]:
    text = simplify_characters(content)
    found = [word.casefold() for word in _NAME.findall(text)]
    found += [word.casefold() for word in _NUMBER_WORD.findall(text)]
    found += [f"周{day}" for day in _CHINESE_DAY.findall(text)]
    found += [match[1] for match in _CHINESE_COUNT.finditer(text)]
    if (last := _LAST_CHINESE.search(text.rstrip("。！!"))) is not None:
        found.append(_begin(last[1]))
    found += _BEHIND_VERB.findall(text)
    found += [word.casefold() for pair in _HAD.findall(text) for word in pair if word]
    found += _HAD_CHINESE.findall(text) + _ANIMAL.findall(text)
    latin = _LATIN.findall(text)
    found += [latin[-1].casefold()] if latin else []
    found += [word.casefold() for word in latin if len(word) >= _SHORTEST_WORD]
    return tuple(word for word in dict.fromkeys(found) if word not in _LIGHT)[:MAXIMUM_VALUE_WORDS]


def list_value_words(memory: Memory | Candidate) -> tuple[str, ...]:
    """List the words under which a statement is found that says that they are wrong."""
    return () if memory.attribute is not None else _value_words(memory.content)


def list_denied_words(memory: Memory | Candidate) -> tuple[str, ...]:
    """List the words of the value that a statement says is wrong."""
    wrong = memory.data.get("replaces")
    if not isinstance(wrong, str) or not wrong:
        return ()
    words = _value_words(f"_ {wrong}")
    whole = _begin(simplify_characters(wrong).casefold())
    return tuple(dict.fromkeys((whole, *words)))[:MAXIMUM_VALUE_WORDS]


def _begin(value: str) -> str:
    """Chinese values are kept under their first two characters."""
    return value[:2] if has_chinese(value) else value


def denies(later: Memory | Candidate, earlier: Memory | Candidate) -> bool:
    """Tell whether a statement says of the same thing that the other one's value is wrong."""
    wrong = later.data.get("replaces")
    if not isinstance(wrong, str) or not wrong or earlier.attribute is not None:
        return False
    if _is_of_others(later, earlier) or not _says(earlier.content, wrong):
        return False
    if _says(later.content, wrong):
        # It says that this is over, and not that it is something else.
        given_up = find_given_up(later.content)
        return (
            given_up == wrong and earlier.kind in _HELD and find_given_up(earlier.content) is None
        )
    matter = _terms(later.content)
    return bool(matter & (_terms(earlier.content) - _terms(wrong)))


def _is_of_others(one: Memory | Candidate, other: Memory | Candidate) -> bool:
    """Tell whether the two speak of two people by name."""
    first, second = canonical_subject(one.subject), canonical_subject(other.subject)
    return (
        "user" not in (first, second)
        and None not in (one.subject, other.subject)
        and first != second
    )


def _says(content: str, wrong: str) -> bool:
    word = re.escape(simplify_characters(wrong))
    whole = rf"(?<![A-Za-z0-9]){word}(?![A-Za-z]{{3}}|[0-9]|[.:]\d)"
    return re.search(whole, simplify_characters(content), re.IGNORECASE) is not None


@lru_cache(maxsize=4096)
def _terms(content: str) -> frozenset[str]:
    text = simplify_characters(content)
    latin = {word for word in extract_gist(content).split() if word.isalpha() and len(word) > 2}
    chinese = set(_CHINESE_TERM.findall(text.replace("的", "")))
    return frozenset((latin - _LIGHT) | (chinese - _LIGHT_CHINESE))
