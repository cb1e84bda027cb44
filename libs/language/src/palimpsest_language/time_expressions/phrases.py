"""Pieces of an expression: a day or a longer span, a time of day, a recurrence."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from palimpsest_language.time_expressions.clock_time import ClockTime
from palimpsest_language.time_expressions.recurrence import Recurrence
from palimpsest_language.time_expressions.spans import SpanResolver
from palimpsest_language.vocabulary.pattern_prefilter import PatternPrefilter


@dataclass(frozen=True, kw_only=True)
class PhraseMeaning:
    """The meaning of one phrase. `weak` words count only beside other time words."""

    resolve: SpanResolver | None = None
    clock: ClockTime | None = None
    recurrence: Recurrence | None = None
    weak: bool = False
    recurs_yearly: bool = False
    """True for a day of a month without a year."""


@dataclass(frozen=True)
class PhraseMatch:
    start: int
    end: int
    meaning: PhraseMeaning


@dataclass(frozen=True)
class TimePhrase:
    """A pattern, with its meaning when it matches; None refuses the match."""

    pattern: re.Pattern[str]
    meaning: Callable[[re.Match[str]], PhraseMeaning | None]


def build_phrase_sieve(phrases: Iterable[TimePhrase]) -> PatternPrefilter[TimePhrase]:
    return PatternPrefilter((phrase.pattern, phrase) for phrase in phrases)


def match_phrases(sentence: str, phrases: PatternPrefilter[TimePhrase]) -> list[PhraseMatch]:
    """Match phrases in order; of overlapping ones the first wins, then the longest."""
    matches = sorted(_all(sentence, phrases), key=lambda piece: (piece.start, -piece.end))
    kept: list[PhraseMatch] = []
    for piece in matches:
        if not kept or piece.start >= kept[-1].end:
            kept.append(piece)
    return kept


def _all(sentence: str, phrases: PatternPrefilter[TimePhrase]) -> Iterator[PhraseMatch]:
    for phrase in phrases.through(sentence):
        for match in phrase.pattern.finditer(sentence):
            meaning = phrase.meaning(match)
            if meaning is not None:
                yield PhraseMatch(match.start(), match.end(), meaning)


_BEFORE_CLOCK = re.compile(r"\s*,?\s*(?:(?:at|around|about|after|in the|on the)\s+)?的?\s*")
_BEFORE_DAY = re.compile(r"\s*,?\s*(?:on\s+)?")


def join_days_with_clock_times(sentence: str, matches: Sequence[PhraseMatch]) -> list[PhraseMatch]:
    """Join days with the times of day beside them."""
    together: list[PhraseMatch] = []
    for piece in matches:
        whole = _with_clock(sentence, together[-1], piece) if together else None
        if whole is None:
            together.append(piece)
        else:
            together[-1] = whole
    return together


def _with_clock(sentence: str, first: PhraseMatch, second: PhraseMatch) -> PhraseMatch | None:
    phrase_meaning, other = first.meaning, second.meaning
    if (
        _is_clock(other)
        and not _is_clock(phrase_meaning)
        and other.clock
        and _may_have_hour(phrase_meaning)
    ):
        if not _BEFORE_CLOCK.fullmatch(sentence, first.end, second.start):
            return None
        clock = other.clock
        part = clock.part or (phrase_meaning.clock.part if phrase_meaning.clock else None)
        meaning = PhraseMeaning(
            resolve=phrase_meaning.resolve,
            recurrence=phrase_meaning.recurrence,
            clock=replace(clock, part=part),
            weak=phrase_meaning.weak,
            recurs_yearly=phrase_meaning.recurs_yearly,
        )
        return PhraseMatch(first.start, second.end, meaning)
    if _is_clock(phrase_meaning) and not _is_clock(other) and other.clock is None:
        if not _BEFORE_DAY.fullmatch(sentence, first.end, second.start):
            return None
        meaning = replace(other, clock=phrase_meaning.clock)
        return PhraseMatch(first.start, second.end, meaning)
    return None


def _is_clock(meaning: PhraseMeaning) -> bool:
    return meaning.resolve is None and meaning.recurrence is None


def _may_have_hour(meaning: PhraseMeaning) -> bool:
    return meaning.clock is None or meaning.clock.hour is None
