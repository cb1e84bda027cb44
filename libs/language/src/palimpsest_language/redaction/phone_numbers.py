"""Telephone numbers: Chinese ones by their shape, others by the library of all number plans."""

import re
from collections.abc import Iterator

import phonenumbers

from palimpsest_language.redaction.number_context import (
    is_named_as_other_number,
    is_number_continued,
)

_CHINESE = re.compile(
    r"(?<![0-9A-Za-z_.-])(?:"
    r"(?:\+?86[ -]?)?1[3-9][0-9](?:[0-9]{8}|[ -][0-9]{4}[ -][0-9]{4})"
    r"|(?:0[0-9]{2,3}-|\(0[0-9]{2,3}\) ?|（0[0-9]{2,3}） ?|0[0-9]{2,3} )[2-9][0-9]{6,7}"
    r")(?![0-9A-Za-z_])"
)
_INTERNATIONAL = re.compile(
    r"(?<![0-9A-Za-z_+])\+[1-9][0-9]{0,2}(?:[ .-]{0,2}\(?[0-9]{1,4}+\)?){2,6}+"
)
_AMERICAN = re.compile(
    r"(?<![0-9A-Za-z_.+-])(?:\([0-9]{3}\) ?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}(?![0-9A-Za-z_])"
)
_MOST_LOOKED_UP = 200
"""The most numbers that are looked up, at 30 µs each; beyond it the shape is enough."""


def find_phone_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each."""
    looked_up = 0
    for pattern, region in ((_INTERNATIONAL, None), (_AMERICAN, "US")):
        for match in pattern.finditer(text):
            if _is_something_else(text, match):
                continue
            looked_up += 1
            if looked_up > _MOST_LOOKED_UP or _exists(match.group(), region):
                yield match.span()
    for match in _CHINESE.finditer(text):
        if not _is_something_else(text, match):
            yield match.span()


def _is_something_else(text: str, match: re.Match[str]) -> bool:
    return is_number_continued(text, match.end()) or is_named_as_other_number(text, match.start())


def _exists(number: str, region: str | None) -> bool:
    try:
        parsed = phonenumbers.parse(number, region)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_number(parsed)
