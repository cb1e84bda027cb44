"""The cues of corrections: patterns over a sentence, from `english_cues` and `chinese_cues`.

A pattern may use the pieces of its file, and what the kind of correction gives, such as a name.
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
"""Stands in a sentence where a time expression was."""

_TABLES = {"en": "corrections/english_cues", "zh": "corrections/chinese_cues"}


@dataclass(frozen=True)
class CueRow:
    """One way of saying that something was told wrong."""

    id: str
    pattern: LazyPattern
    begins_sentence: bool
    """The pattern covers the beginning of a sentence, not all of it."""
    is_like_the_slip: bool
    """The right name must be spelt much like the wrong one."""

    def match(self, sentence: str) -> re.Match[str] | None:
        """Match the sentence; None where the row does not fit or is switched off."""
        if not is_enabled(self.id):
            return None
        pattern = self.pattern.compiled
        return pattern.match(sentence) if self.begins_sentence else pattern.fullmatch(sentence)


class CueMatch(NamedTuple):
    row: CueRow
    match: re.Match[str]

    def group(self, name: str) -> str | None:
        """The words of a named group; None where the row has no such group."""
        return self.match.groupdict().get(name)


class CueTable:
    """The rows of one kind of correction, in their order."""

    def __init__(self, kind: str, pieces: Mapping[str, Mapping[str, str]]) -> None:
        """`pieces` gives, by language, what the patterns may use and code defines."""
        self._rows = {
            language: [
                _build_row(row, {"TIME": TIME_MARK, **pieces.get(language, {})})
                for row in read_rules(table)
                if row.columns["kind"] == kind
            ]
            for language, table in _TABLES.items()
        }

    def matches(self, sentence: str, *, language_of: str | None = None) -> Iterator[CueMatch]:
        """Match the rows of the language in which the sentence is written, in their order."""
        language = "zh" if has_chinese(language_of or sentence) else "en"
        for row in self._rows[language]:
            if (match := row.match(sentence)) is not None:
                yield CueMatch(row, match)

    def match(self, sentence: str, *, language_of: str | None = None) -> CueMatch | None:
        """Match the first row that fits."""
        return next(self.matches(sentence, language_of=language_of), None)


def read_cue_piece(language: str, pattern: str) -> str:
    """Write out a pattern with the pieces of a language's cues."""
    return put_pieces_in(pattern, read_pieces(_TABLES[language]))


def _build_row(row: RuleRow, pieces: Mapping[str, str]) -> CueRow:
    return CueRow(
        id=row.id,
        pattern=LazyPattern(put_pieces_in(row.pattern, pieces), re.IGNORECASE),
        begins_sentence=row.columns.get("begins_sentence", False),
        is_like_the_slip=row.columns.get("is_like_the_slip", False),
    )
