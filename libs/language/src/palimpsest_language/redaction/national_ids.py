"""National ids: known by their check digits, their shape, or their name."""

import re
from collections.abc import Iterator
from datetime import date

from stdnum.cn import ric

from palimpsest_language.redaction.labelled_ids import find_labelled_ids
from palimpsest_language.redaction.number_context import (
    is_named_as_other_number,
    is_number_continued,
)
from palimpsest_language.redaction.secret_rules import has_words_before

_RESIDENT = re.compile(
    r"(?<![0-9A-Za-z_.])(?P<region>[1-8][0-9]{5})[ -]?"
    r"(?P<birth>(?:18|19|20)[0-9]{6})[ -]?[0-9]{3}[0-9Xx](?![0-9A-Za-z_])"
)
_PROVINCES = frozenset(
    {
        *range(11, 16), *range(21, 24), *range(31, 38), *range(41, 47), *range(50, 55),
        *range(61, 66), 71, 81, 82, 83,
    }
)  # fmt: skip
"""The first two digits. The library's list of counties lacks some issued ones."""

_SOCIAL_SECURITY = re.compile(
    # No area 000, 666 or 9xx, no group 00 and no serial number 0000 was ever issued.
    r"(?<![0-9A-Za-z_.#-])(?!000|666|9)[0-9]{3}(?P<between>[ -]?)(?!00)[0-9]{2}"
    r"(?P=between)(?!0000)[0-9]{4}(?![0-9A-Za-z_])"
)
_SOCIAL = re.compile(
    r"\bssn\b|\bsocial\b|taxpayer id|社保号|社会(?:安全|保险|保障)号", re.IGNORECASE
)

_IDENTITY = re.compile(r"身[份分]|证件|\bids?\b|identity|resident", re.IGNORECASE)
"""Names of an id; beside one a mistyped number counts too."""


def find_national_ids(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each id, those first that need no name."""
    for match in _RESIDENT.finditer(text):
        if _is_resident(match) or has_words_before(_IDENTITY, text, match.start()):
            yield match.span()
    for match in _SOCIAL_SECURITY.finditer(text):
        if _is_social_security(text, match):
            yield match.span()
    yield from find_labelled_ids(text)


def _is_resident(match: re.Match[str]) -> bool:
    number = match.group().translate({ord(" "): None, ord("-"): None}).upper()
    birth = match["birth"]
    try:
        date(int(birth[:4]), int(birth[4:6]), int(birth[6:]))
    except ValueError:
        return False
    return int(number[:2]) in _PROVINCES and ric.calc_check_digit(number) == number[-1]


def _is_social_security(text: str, match: re.Match[str]) -> bool:
    """Tell whether it is one. Without a check digit it needs hyphens or a name."""
    if is_number_continued(text, match.end()):
        return False
    if has_words_before(_SOCIAL, text, match.start()):
        return True
    return match["between"] == "-" and not is_named_as_other_number(text, match.start())
