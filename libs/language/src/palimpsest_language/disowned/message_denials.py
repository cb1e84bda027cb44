"""Finds statements that somebody else wrote an earlier message: "that was my brother typing"."""

import re
from typing import NamedTuple

from palimpsest_language.rule_tables import is_enabled, note_match, read_rules
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

_ROWS = tuple(
    (row.id, LazyPattern(row.pattern, re.IGNORECASE))
    for row in read_rules("disowned/message_denials")
)
_HINT = re.compile(
    r"\b(?:me|my|mine|wrote|write|typ\w+|said|sent|messag\w+|was)\b|我|是", re.IGNORECASE
)
_LONG_AGO = re.compile(
    r"\b(?:last (?:time|week|month|night)|yesterday|the other day|back then)\b"
    r"|上次|昨[天晚]|前天|前几天|上周",
    re.IGNORECASE,
)


class DeniedMessage(NamedTuple):
    """An earlier message that somebody else wrote."""

    words: str
    """The words of the denial, verbatim."""
    about: str
    """The topic of the message; empty for the last one."""
    is_of_earlier_session: bool


def find_denied_message(text: str) -> DeniedMessage | None:
    """Find the first denial of an earlier message of the same sender."""
    if _HINT.search(text) is None:
        return None
    for rule, pattern in _ROWS:
        if is_enabled(rule) and (match := pattern.compiled.search(text)):
            note_match(rule)
            groups = match.groupdict()
            about = (groups.get("about") or groups.get("of") or "").strip()
            words = groups.get("words", match.group())
            return DeniedMessage(words, about, _LONG_AGO.search(text) is not None)
    return None
