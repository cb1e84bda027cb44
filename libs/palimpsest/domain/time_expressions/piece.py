"""Pieces of an expression: a day or a longer span, a time of day, a recurrence."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from palimpsest.domain.necessary_words import Sieve
from palimpsest.domain.time_expressions.clock import Clock
from palimpsest.domain.time_expressions.recurrence import Recurrence
from palimpsest.domain.time_expressions.spans import Resolve


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """What one phrase says. `weak` words speak of a time only beside others that do."""

    resolve: Resolve | None = None
    clock: Clock | None = None
    recurrence: Recurrence | None = None
    weak: bool = False
    recurs_yearly: bool = False
    """A day by its month, without a year."""


@dataclass(frozen=True)
class Piece:
    start: int
    end: int
    meaning: Meaning


@dataclass(frozen=True)
class Phrase:
    """A pattern, and what it means when it fits; None refuses the match."""

    pattern: re.Pattern[str]
    meaning: Callable[[re.Match[str]], Meaning | None]


def sieve(phrases: Iterable[Phrase]) -> Sieve[Phrase]:
    return Sieve((phrase.pattern, phrase) for phrase in phrases)


def pieces(sentence: str, phrases: Sieve[Phrase]) -> list[Piece]:
    """In order; of those that overlap the one that begins first, and then the longest."""
    found = sorted(_all(sentence, phrases), key=lambda piece: (piece.start, -piece.end))
    kept: list[Piece] = []
    for piece in found:
        if not kept or piece.start >= kept[-1].end:
            kept.append(piece)
    return kept


def _all(sentence: str, phrases: Sieve[Phrase]) -> Iterator[Piece]:
    for phrase in phrases.through(sentence):
        for match in phrase.pattern.finditer(sentence):
            meaning = phrase.meaning(match)
            if meaning is not None:
                yield Piece(match.start(), match.end(), meaning)


_BEFORE_CLOCK = re.compile(r"\s*,?\s*(?:(?:at|around|about|after|in the|on the)\s+)?的?\s*")
_BEFORE_DAY = re.compile(r"\s*,?\s*(?:on\s+)?")


def joined(sentence: str, found: Sequence[Piece]) -> list[Piece]:
    """Days with the times of day beside them, as one piece each."""
    together: list[Piece] = []
    for piece in found:
        whole = _with_clock(sentence, together[-1], piece) if together else None
        if whole is None:
            together.append(piece)
        else:
            together[-1] = whole
    return together


def _with_clock(sentence: str, first: Piece, second: Piece) -> Piece | None:
    one, other = first.meaning, second.meaning
    if _is_clock(other) and not _is_clock(one) and other.clock and _may_have_hour(one):
        if not _BEFORE_CLOCK.fullmatch(sentence, first.end, second.start):
            return None
        clock = other.clock
        part = clock.part or (one.clock.part if one.clock else None)
        meaning = Meaning(
            resolve=one.resolve,
            recurrence=one.recurrence,
            clock=Clock(clock.hour, clock.minute, part, clock.exact),
            weak=one.weak,
            recurs_yearly=one.recurs_yearly,
        )
        return Piece(first.start, second.end, meaning)
    if _is_clock(one) and not _is_clock(other) and other.clock is None:
        if not _BEFORE_DAY.fullmatch(sentence, first.end, second.start):
            return None
        meaning = replace(other, clock=one.clock)
        return Piece(first.start, second.end, meaning)
    return None


def _is_clock(meaning: Meaning) -> bool:
    return meaning.resolve is None and meaning.recurrence is None


def _may_have_hour(meaning: Meaning) -> bool:
    return meaning.clock is None or meaning.clock.hour is None
