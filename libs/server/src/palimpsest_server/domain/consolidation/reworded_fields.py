"""Find the fields of a memory that still fit after its words were edited.

Later statements are compared with the memory's value. A value that the new words no longer say would
cause wrong repetitions or ends. So it stays only if the new words contain it and no word
among them reverses it. Another value that stands in its place, among the same words, is taken over.
"""

import re
import unicodedata
from typing import Any

from palimpsest.model.memory import Memory
from palimpsest.model.replaced_values import find_replaced_value
from palimpsest_language.wording.end_phrases import has_ended_value
from palimpsest_server.domain.consolidation.memory_statements import strip_data_notes
from palimpsest_server.domain.consolidation.word_fields import (
    FIELDS_GONE_WHEN_REWORDED,
    keep_words,
)

_TURNING = re.compile(
    r"""\b(?:not|never|no|nor|without|hardly|from|instead|rather|formerly|previously|before|once|was
    | were|had|used|left|leav(?:e|es|ing)|moved|moving|stop(?:s|ped)?|quit|but|except|than|until
    | wrong(?:ly)?|mistaken(?:ly)?|false)\b|n['’]t\b
    | [不没非别曾未勿莫] | 以前 | 之前 | 原来 | 原先 | 本来 | 过去 | 从 | 离开 | 改[成为]? | 换 | 搬 | 而是 | 除了
    | 戒 | 错 | 误""",
    re.IGNORECASE | re.VERBOSE,
)
"""New words beside a value that may deny it, or move it to the past."""


def fields_after_rewording(memory: Memory, content: str) -> dict[str, Any]:
    """Return the fields to change with these words, except those that the edit gives itself."""
    kept = {
        name: keep_words(getattr(memory, name), lambda word: has_phrase(content, word))
        for name in FIELDS_GONE_WHEN_REWORDED
    }
    changes = {name: value for name, value in kept.items() if value != getattr(memory, name)}
    if memory.value is not None and not _still_says(memory, content, memory.value):
        changes |= {"value": None, "ended": False, "data": strip_data_notes(memory.data)}
        if (value := _read_value(memory, content, memory.value)) is not None:
            changes |= {"value": value, "ended": memory.ended}
    return changes


def has_phrase(text: str, words: str) -> bool:
    """Return whether the text has the phrase; in scripts with spaces, as whole words."""
    folded, wanted = _folded(text), _folded(words).strip()
    if not wanted:
        return False
    if not wanted.isascii():
        return wanted in folded
    return re.search(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])", folded) is not None


def _read_value(memory: Memory, content: str, value: str) -> str | None:
    """Return the value that stands in the place of the former one; None if no other clearly does."""
    written = find_replaced_value(memory.content, value, content)
    is_plain = written is not None and not _turning(written) and not has_phrase(written, value)
    return written if is_plain else None


def _still_says(memory: Memory, content: str, value: str) -> bool:
    return (
        has_phrase(content, value)
        and has_ended_value(content, value) == has_ended_value(memory.content, value)
        and _turning(content) == _turning(memory.content)
    )


def _turning(text: str) -> set[str]:
    return {match.group().casefold() for match in _TURNING.finditer(_folded(text))}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
