"""Numbers as people write them, with their values: 3,500, 2.5k, 两万三, "half a dozen"."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

_ONES = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
}  # fmt: skip
_PHRASES = {"half a dozen": 6, "a dozen": 12, "dozen": 12, "a couple": 2, "couple": 2}

_DIGITS_ZH = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "俩": 2,
}
_UNITS_ZH = {"十": 10, "百": 100, "千": 1_000}
_LARGE_ZH = {"万": 10_000, "亿": 100_000_000}

_SUFFIXES = {
    "k": 1_000, "m": 1_000_000, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000,
    "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000,
}  # fmt: skip

NUMBER_WORDS_EN = (
    rf"(?:half a dozen|(?:a )?dozen|a couple|(?:{'|'.join(_TENS)})(?:[- ](?:"
    rf"{'|'.join(list(_ONES)[:9])}))?|{'|'.join(sorted(_ONES, key=len, reverse=True))})"
)
"""Pattern of the numbers that people write in English words, up to ninety-nine."""
ORDINALS_EN = rf"(?:{'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th))"
"""Pattern of English ordinals: fourth, 4th."""
DIGITS = r"\d++(?:,\d{3}(?!\d))*+(?:\.\d++)?+"
"""Pattern of a number in digits, without its currency and its unit. It takes all digits or none."""
NUMBER_ZH = rf"(?:{DIGITS}(?:[万千百亿]\d?)?|[一二两三四五六七八九十百千万亿零半]+)"
"""Pattern of a number in Chinese writing."""

_DIGITS = re.compile(
    rf"(?<![\d.])(?P<digits>{DIGITS})(?: ?(?P<suffix>[km](?![a-z])|thousand|million|billion"
    r"|[百千万亿]))?(?P<rest>[0-9一二三四五六七八九](?=$|[^\d百千万亿点]))?",
    re.IGNORECASE,
)
_WORDS = re.compile(
    rf"\b(?:half a dozen|(?:a )?dozen|(?:a )?couple|(?:(?:an?|{'|'.join(_ONES)}|{'|'.join(_TENS)}"
    rf"|{'|'.join(_SCALES)})(?:[- ](?:and )?(?={'|'.join((*_ONES, *_TENS, *_SCALES))}))?)+"
    rf"|{'|'.join(_ORDINALS)})\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"[零〇一二两俩三四五六七八九十百千万亿]+")


class WrittenNumber(NamedTuple):
    """A number in a text: its place in characters, and its value."""

    start: int
    end: int
    value: Decimal
    in_digits: bool


def find_numbers(text: str) -> Iterator[WrittenNumber]:
    """Find the numbers of a text: in digits first, then in words of both languages."""
    for match in _DIGITS.finditer(text):
        yield WrittenNumber(match.start(), match.end("digits"), _plain(match), in_digits=True)
        if match["suffix"] is not None:
            yield WrittenNumber(match.start(), match.end(), _scaled(match), in_digits=True)
    for match in _WORDS.finditer(text):
        value = parse_english_words(match[0])
        if value is not None:
            yield WrittenNumber(match.start(), match.end(), value, in_digits=False)
    for match in _CHINESE.finditer(text):
        yield WrittenNumber(
            match.start(), match.end(), parse_chinese_numeral(match[0]), in_digits=False
        )


def parse_english_words(words: str) -> Decimal | None:
    """Value of English number words: "two hundred and five" is 205; None without a number."""
    lowered = words.casefold().strip()
    if lowered in _PHRASES:
        return Decimal(_PHRASES[lowered])
    if lowered in _ORDINALS:
        return Decimal(_ORDINALS[lowered])
    total, group, found = 0, 0, False
    for word in re.split(r"[\s-]+", lowered):
        if word in _ONES or word in _TENS:
            group, found = group + (_ONES.get(word) or _TENS[word]), True
        elif word == "hundred":
            group, found = max(group, 1) * 100, True
        elif word in _SCALES:
            total, group, found = total + max(group, 1) * _SCALES[word], 0, True
    return Decimal(total + group) if found else None


def parse_chinese_numeral(numeral: str) -> Decimal:
    """Value of a Chinese numeral: 两万三 is 23000, 三百五 is 350, 二〇二四 is 2024."""
    if not any(character in _UNITS_ZH or character in _LARGE_ZH for character in numeral):
        return Decimal("".join(str(_DIGITS_ZH[character]) for character in numeral))
    total = section = digit = 0
    last_unit, is_after_zero = 1, False
    for character in numeral:
        if character in _DIGITS_ZH:
            digit = _DIGITS_ZH[character]
            is_after_zero = is_after_zero or digit == 0
        elif character in _UNITS_ZH:
            section += (digit or (0 if section else 1)) * _UNITS_ZH[character]
            digit, last_unit, is_after_zero = 0, _UNITS_ZH[character], False
        else:
            last_unit, is_after_zero = _LARGE_ZH[character], False
            below = section + digit
            if total and character == "万":
                total += (below or 1) * last_unit
            else:
                total = (total + below or 1) * last_unit
            section = digit = 0
    # 两万三 is short for 两万三千, 一百零五 is no 150.
    shortened = digit and last_unit >= 100 and not is_after_zero
    return Decimal(total + section + (digit * last_unit // 10 if shortened else digit))


def _plain(match: re.Match[str]) -> Decimal:
    return Decimal(match["digits"].replace(",", ""))


def _scaled(match: re.Match[str]) -> Decimal:
    scale = _SUFFIXES[match["suffix"].casefold()]
    rest = match["rest"]
    added = 0 if rest is None else int(parse_digit(rest)) * scale // 10
    return _plain(match) * scale + added


def parse_digit(character: str) -> int:
    """Value of one digit, in either writing."""
    return int(character) if character.isdecimal() else _DIGITS_ZH[character]
