"""Finds statements that take an earlier message back: “my brother typed that”, “just kidding”."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from palimpsest_language.rule_tables import RuleRow, is_enabled, note_match, read_rules
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

_DenialRow = tuple[RuleRow, LazyPattern]
_ROWS: tuple[_DenialRow, ...] = tuple(
    (row, LazyPattern(row.pattern, re.IGNORECASE)) for row in read_rules("disowned/message_denials")
)
_JESTS = tuple(row for row in _ROWS if row[0].columns.get("jest"))
_JEST_CHARACTERS = 400
"""The beginning of a message in which a joke is taken back."""
_AROUND = " \t,.;:!…—–-，。；：！～~"
_HINT = re.compile(
    r"\b(?:me|my|mine|wrote|write|typ\w+|said|sent|messag\w+|was|kidding|joking|joke|jk|j/k"
    r"|teasing|pulling|messing)\b|我|是|玩|骗你|[瞎乱胡]说|[瞎]编|吹牛",
    re.IGNORECASE,
)
_LONG_AGO = re.compile(
    r"\b(?:last (?:time|week|month|night)|yesterday|the other day|back then)\b"
    r"|上次|昨[天晚]|前天|前几天|上周",
    re.IGNORECASE,
)


class DeniedMessage(NamedTuple):
    """An earlier message that somebody else wrote, or that was a joke."""

    words: str
    """The words of the denial, verbatim."""
    about: str
    """The topic of the message; empty for the last one."""
    is_of_earlier_session: bool
    is_within: bool = False
    """True if a message takes its own beginning back; then `words` is that beginning."""


def find_denied_message(text: str) -> DeniedMessage | None:
    """Find the first denial of an earlier message of the same sender."""
    if (found := _find(text)) is None:
        return None
    groups = found[1].groupdict()
    if same := groups.get("same"):
        return DeniedMessage(same, "", is_of_earlier_session=False, is_within=True)
    about = (groups.get("about") or groups.get("of") or "").strip()
    words = groups.get("words", found[1].group())
    return DeniedMessage(words, about, _LONG_AGO.search(text) is not None)


def leave_jest_out(text: str) -> str:
    """Return a message without its beginning that only calls something said a joke."""
    found = _find(text[:_JEST_CHARACTERS], _JESTS)
    return text if found is None else text[found[1].end() :].lstrip(_AROUND)


def _find(text: str, rows: Sequence[_DenialRow] = _ROWS) -> tuple[RuleRow, re.Match[str]] | None:
    if _HINT.search(text) is None:
        return None
    for row, pattern in rows:
        if is_enabled(row.id) and (match := pattern.compiled.search(text)):
            note_match(row.id)
            return row, match
    return None
