"""Patterns that find spans: rows of the tables of this folder."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from palimpsest_language.message_spans.span import MessageSpan, SpanKind
from palimpsest_language.rule_tables import is_enabled, note_match, read_rules
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern
from palimpsest_language.vocabulary.pattern_prefilter import PatternPrefilter

EDGE = 1_000
"""Characters at each end of a longer text in which requests and cues are looked for."""


@dataclass(frozen=True)
class SpanRule:
    """One row: a pattern over a text, and the columns of its table."""

    id: str
    pattern: LazyPattern
    columns: dict[str, Any] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    """Folded words of which a match has one, beside those that are read off the pattern."""
    marks: tuple[str, ...] = ()
    """Punctuation of which a match has one."""

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Match the text from left to right; nothing if the row is switched off."""
        if is_enabled(self.id):
            for match in self.pattern.compiled.finditer(text):
                note_match(self.id)
                yield match

    def find_at_edges(self, text: str, *, ending: bool) -> Iterator[re.Match[str]]:
        """Match at both ends of a text, where people state their request.

        With `ending`, only at its end, for patterns that reach up to it.
        """
        if len(text) <= 2 * EDGE:
            yield from self.finditer(text)
        elif is_enabled(self.id):
            pattern = self.pattern.compiled
            if not ending:
                yield from pattern.finditer(text, 0, EDGE)
            yield from pattern.finditer(text, len(text) - EDGE)

    def match(self, line: str) -> re.Match[str] | None:
        return self.pattern.compiled.match(line) if is_enabled(self.id) else None

    @property
    def all_hints(self) -> tuple[frozenset[str], ...]:
        """Sets of words, of each of which a match has one."""
        return tuple(frozenset(words) for words in (self.marks, self.hints) if words)


def read_span_rules(table: str) -> tuple[SpanRule, ...]:
    return tuple(
        SpanRule(
            row.id,
            LazyPattern(row.pattern, re.IGNORECASE | re.MULTILINE),
            dict(row.columns),
            tuple(row.columns.get("hints", ())),
            tuple(row.columns.get("marks", ())),
        )
        for row in read_rules(f"message_spans/{table}")
    )


def build_span_sieve(rules: Iterable[SpanRule]) -> PatternPrefilter[SpanRule]:
    """Return the rows by the words that they need."""
    return PatternPrefilter(
        ((rule.pattern, rule) for rule in rules), hints=lambda rule: rule.all_hints
    )


def group_span_rules(table: str, column: str) -> Mapping[str, PatternPrefilter[SpanRule]]:
    """Read a table, its rows apart by the value of a column."""
    groups: dict[str, list[SpanRule]] = defaultdict(list)
    for rule in read_span_rules(table):
        groups[rule.columns[column]].append(rule)
    return {value: build_span_sieve(rules) for value, rules in groups.items()}


def build_spans(match: re.Match[str], kind: SpanKind, end: int) -> Iterator[MessageSpan]:
    """Yield a match as spans of a kind, up to `end`, without the stretch of its group `own`.

    Of a match with a group `said`, this group alone is the speaker's.
    """
    groups = match.groupdict()
    name = (groups.get("name") or groups.get("sender") or "").strip(" @*_\t") or None
    if groups.get("said") is not None:
        begin, stop = match.span("said")
        yield MessageSpan(start=match.start(), end=begin, kind=kind)
        yield MessageSpan(start=begin, end=stop, kind=kind, speaker=name)
        yield MessageSpan(start=stop, end=end, kind=kind)
        return
    if groups.get("own") is None:
        yield MessageSpan(start=match.start(), end=end, kind=kind, speaker=name)
        return
    begin, stop = match.span("own")
    yield MessageSpan(start=match.start(), end=begin, kind=kind)
    yield MessageSpan(start=stop, end=end, kind=kind, speaker=name)
