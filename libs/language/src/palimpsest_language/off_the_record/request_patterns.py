"""Patterns of requests not to remember something, one for each language.

The rows of `english_requests.toml` and `chinese_requests.toml` are joined into one pattern by the
piece `REQUEST` of the file, which has a place for each `form` that a row may have.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from palimpsest_language.rule_tables import (
    forget_when_switched,
    is_enabled,
    put_pieces_in,
    read_pieces,
    read_rules,
)
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern
from palimpsest_language.vocabulary.pattern_prefilter import PatternPrefilter

_NEVER = "(?!)"


class FoundRequest(NamedTuple):
    """The place of a request in a text."""

    rule: str
    start: int
    end: int


class RequestPattern:
    """All rows of one table."""

    def __init__(self, table: str) -> None:
        self._rows = read_rules(table)
        self._pieces = read_pieces(table)
        self._sieve = PatternPrefilter(
            (LazyPattern(row.pattern, re.IGNORECASE), row.id) for row in self._rows
        )

    def find_all(self, text: str) -> Iterator[FoundRequest]:
        """Find the requests in a text from left to right."""
        if self._sieve.through(text):
            for match in _join(self).finditer(text):
                row = self._rows[int(str(match.lastgroup).removeprefix("row"))]
                yield FoundRequest(row.id, *match.span())

    def join(self) -> re.Pattern[str]:
        """Join the rows that are switched on, each in a group of its own."""
        by_form: dict[str, list[str]] = defaultdict(list)
        for number, row in enumerate(self._rows):
            pattern = f"(?P<row{number}>{row.pattern})" if is_enabled(row.id) else _NEVER
            by_form[row.columns["form"].upper()].append(pattern)
        forms = {form: "|".join(patterns) for form, patterns in by_form.items()}
        return re.compile(put_pieces_in("<REQUEST>", {**self._pieces, **forms}), re.IGNORECASE)


@forget_when_switched
@cache
def _join(pattern: RequestPattern) -> re.Pattern[str]:
    return pattern.join()
