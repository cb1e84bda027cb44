"""The cues of corrections: patterns over a sentence, from `english_cues` and `chinese_cues`.

A pattern may use the pieces of its file and those of the kind of correction, such as a name.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.rule_tables import (
    RuleRow,
    is_enabled,
    put_pieces_in,
    read_pieces,
    read_rules,
)
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

TIME_MARK = "\0"
"""Replaces each time expression in a sentence."""

_TABLES = {"en": "corrections/english_cues", "zh": "corrections/chinese_cues"}


@dataclass(frozen=True)
class CueRow:
    """One form of a correction."""

    id: str
    pattern: LazyPattern
    begins_sentence: bool
    """True if the pattern covers only the beginning of a sentence."""
    is_like_the_slip: bool
    """True if the right name must be spelt like the wrong one."""

    def match(self, sentence: str) -> re.Match[str] | None:
        """Match the sentence; None if the row does not match or is switched off."""
        if not is_enabled(self.id):
            return None
        pattern = self.pattern.compiled
        return pattern.match(sentence) if self.begins_sentence else pattern.fullmatch(sentence)


class CueMatch(NamedTuple):
    row: CueRow
    match: re.Match[str]

    def group(self, name: str) -> str | None:
        """Return the words of a named group; None if the row has no such group."""
        return self.match.groupdict().get(name)


class CueTable:
    """The rows of one kind of correction, in order."""

    def __init__(self, kind: str, pieces: Mapping[str, Mapping[str, str]]) -> None:
        """`pieces` are the pieces of patterns that code defines, by language."""
        self._rows = {
            language: [
                _build_row(row, {"TIME": TIME_MARK, **pieces.get(language, {})})
                for row in read_rules(table)
                if row.columns["kind"] == kind
            ]
            for language, table in _TABLES.items()
        }

    def matches(self, sentence: str, *, language_of: str | None = None) -> Iterator[CueMatch]:
        """Yield the matches of the rows in the sentence's language, in order."""
        language = "zh" if has_chinese(language_of or sentence) else "en"
        for row in self._rows[language]:
            if (match := row.match(sentence)) is not None:
                yield CueMatch(row, match)

    def match(self, sentence: str, *, language_of: str | None = None) -> CueMatch | None:
        """Return the first match; None without one."""
        return next(self.matches(sentence, language_of=language_of), None)


def read_cue_piece(language: str, pattern: str) -> str:
    """Return a pattern with the pieces of a language's cues put in."""
    return put_pieces_in(pattern, read_pieces(_TABLES[language]))


def _build_row(row: RuleRow, pieces: Mapping[str, str]) -> CueRow:
    return CueRow(
        id=row.id,
        pattern=LazyPattern(put_pieces_in(row.pattern, pieces), re.IGNORECASE),
        begins_sentence=row.columns.get("begins_sentence", False),
        is_like_the_slip=row.columns.get("is_like_the_slip", False),
    )
