"""Phrases: what a few words of a text tell, by tables whose rows have a `sign`.

    language = "any"

    [[rule]]
    id = "en.answers.asks_of_taste"
    language = "en"
    sign = "asks_of_taste"                    # what the phrases tell of a text
    any_of = ['rather', 'favou?rite']         # or `pattern`; anchors say where it has to stand
    examples = [{ text = "What would you rather have?" }]
    counter_examples = ["Which is yours?"]    # no row of the sign may fit

All rows of one sign are one `PhraseSet`: a text that any of them fits has the sign. The case of
letters matters where a row says `cased = true`. A Chinese row is not tried on a text of ASCII
alone, nor an English one on a text without a Latin letter, unless it says `fits_any_script = true`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from palimpsest_language.rule_tables import RuleRow, is_enabled, note_match, read_rules
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern
from palimpsest_language.vocabulary.pattern_prefilter import PatternPrefilter

_FEW = 8
"""Rows of a sign up to which each is tried; of more, first their words are looked for."""


_LATIN = re.compile(r"[A-Za-z]")
_LONGEST_KEPT = 400
"""Characters of a text up to which it is kept that no row fits it."""


@dataclass(frozen=True)
class Phrase:
    """One row."""

    id: str
    pattern: LazyPattern
    columns: Mapping[str, Any]
    script: str | None
    """The language whose letters a text must hold for it to fit, `zh` or `en`; None for any."""


class PhraseSet:
    """The rows of one sign, tried in the order of the table; rows that are switched off are not."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._phrases = tuple(phrases)
        self._fitting_ascii = tuple(each for each in self._phrases if each.script != "zh")
        self._fitting_no_latin = tuple(each for each in self._phrases if each.script != "en")
        self._sieve = (
            PatternPrefilter((phrase.pattern, phrase) for phrase in self._phrases)
            if len(self._phrases) > _FEW
            else None
        )

    def __iter__(self) -> Iterator[Phrase]:
        return iter(self._phrases)

    def __len__(self) -> int:
        return len(self._phrases)

    def find(self, text: str) -> tuple[Phrase, re.Match[str]] | None:
        """Find the first row that fits, with its match."""
        if self._fits_none(text):
            return None
        for phrase in self._possible(text):
            match = phrase.pattern.compiled.search(text)
            if match is not None and is_enabled(phrase.id):
                note_match(phrase.id)
                return phrase, match
        return None

    def find_each(self, text: str) -> Iterator[tuple[Phrase, re.Match[str]]]:
        """Find all rows that fit, each with its first match."""
        for phrase in self._possible(text):
            if is_enabled(phrase.id) and (match := phrase.pattern.compiled.search(text)):
                note_match(phrase.id)
                yield phrase, match

    def search(self, text: str) -> re.Match[str] | None:
        """Return the match of the first row that fits."""
        found = self.find(text)
        return None if found is None else found[1]

    def finditer(
        self, text: str, start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        """Find all matches between two places, those of one row after those of the other."""
        if self._fits_none(text):
            return
        for phrase in self._in_script_of(text):
            if is_enabled(phrase.id):
                for match in phrase.pattern.compiled.finditer(
                    text, start, len(text) if end is None else end
                ):
                    note_match(phrase.id)
                    yield match

    def sub(self, replacement: str, text: str) -> str:
        """Replace all that fits, one row after the other."""
        if self._fits_none(text):
            return text
        for phrase in self._in_script_of(text):
            if is_enabled(phrase.id):
                text, count = phrase.pattern.compiled.subn(replacement, text)
                if count:
                    note_match(phrase.id)
        return text

    def may_fit(self, text: str) -> bool:
        """Tell whether any row fits, switched off or not."""
        for phrase in self._possible(text):  # noqa: SIM110 - a loop takes half the time of `any`
            if phrase.pattern.compiled.search(text):
                return True
        return False

    def _fits_none(self, text: str) -> bool:
        """Tell whether it is known that no row fits; long texts are not kept, so none is known."""
        return len(text) <= _LONGEST_KEPT and not _may_fit(self, text)

    def _possible(self, text: str) -> Sequence[Phrase]:
        return self._in_script_of(text) if self._sieve is None else self._sieve.through(text)

    def _in_script_of(self, text: str) -> Sequence[Phrase]:
        if text.isascii():
            return self._fitting_ascii
        return self._phrases if _LATIN.search(text) else self._fitting_no_latin


@lru_cache(maxsize=32_768)
def _may_fit(phrases: PhraseSet, text: str) -> bool:
    """Tell the same as the set, from what was found of late.

    Most texts fit no row, and a message is read again as context of each of the next ones.
    """
    return phrases.may_fit(text)


@cache
def read_phrases(table: str) -> Mapping[str, PhraseSet]:
    """Read a table by its signs. Raises KeyError where a row has none."""
    phrases: dict[str, list[Phrase]] = defaultdict(list)
    for row in read_rules(table):
        phrases[row.columns["sign"]].append(_build_phrase(row))
    return {sign: PhraseSet(rows) for sign, rows in phrases.items()}


def _build_phrase(row: RuleRow) -> Phrase:
    flags = re.NOFLAG if row.columns.get("cased", False) else re.IGNORECASE
    is_bound = row.language in ("zh", "en") and not row.columns.get("fits_any_script", False)
    script = row.language if is_bound else None
    return Phrase(row.id, LazyPattern(row.pattern, flags), row.columns, script)
