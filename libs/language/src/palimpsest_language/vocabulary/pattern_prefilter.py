"""Which of many patterns can match a text at all, told by words that each of them needs.

Trying some hundred patterns on every sentence costs a thousand times what looking for
their words costs, and nearly all of them lack one. The words are read off the pattern as
`re` itself has parsed it, so that nobody has to declare or keep them; where nothing
necessary can be read off, the pattern is always tried. What is left out cannot match:
the words are necessary, not sufficient.

The idea is that of the prefilters of RE2 and of code search by trigrams
(Russ Cox, "Regular Expression Matching with a Trigram Index", 2012).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Generic, Protocol, TypeVar, cast
from weakref import WeakSet

from ahocorasick_rs import AhoCorasick

from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

RowT = TypeVar("RowT")

RequiredWords = frozenset[str]
"""Words of which a folded text must contain one."""
Hints = Sequence[RequiredWords]

_MOST_WORDS = 48
"""The most alternatives; of more, one nearly always occurs in a text."""
_MOST_OF_A_CLASS = 10
"""The most characters of a class; a larger class tells little."""
_NOTHING = frozenset({""})
_ZERO_WIDTH = frozenset({codes.AT, codes.ASSERT, codes.ASSERT_NOT})
_REPEATS = frozenset({codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT})
_TAKEN_FOR_ASCII = str.maketrans({"\u0130": "i", "\u0131": "i", "\u017f": "s", "\u212a": "k"})
"""Characters that `re.IGNORECASE` takes for an ASCII letter, and `lower` does not."""
_WORTH_OF_HAN = 3
"""The rarity of a Chinese character, in letters."""
_WORTH_OF_DIGIT = 2
_LEAST_WORTH = 2


class PatternSource(Protocol):
    """A pattern, compiled or not, as far as its words can be read from it."""

    @property
    def pattern(self) -> str: ...

    @property
    def flags(self) -> int: ...


def fold_case(text: str) -> str:
    """Return the text without case, in which words are looked for."""
    return text.lower() if text.isascii() else text.translate(_TAKEN_FOR_ASCII).lower()


def extract_required_words(pattern: PatternSource) -> tuple[RequiredWords, ...]:
    """Return sets of words, rarest first: each match's folded text has one word of each set.

    Empty if no such set can be read from the pattern.
    """
    parsed = parser.parse(pattern.pattern, pattern.flags)
    sets = (_shortest(required_words) for required_words in _of_sequence(parsed))
    telling = {each for each in sets if len(each) <= _MOST_WORDS and _worth(each) >= _LEAST_WORTH}
    return tuple(sorted(telling, key=lambda each: (-_worth(each), len(each), sorted(each))))


@dataclass(frozen=True)
class _Row(Generic[RowT]):
    place: int
    tried: RowT
    needed: tuple[RequiredWords, ...]


class _Index(Generic[RowT]):
    """The words of a table, and the rows that need each of them."""

    def __init__(
        self, table: Iterable[tuple[PatternSource, RowT]], hints: Callable[[RowT], Hints]
    ) -> None:
        rows = [
            _Row(place, tried, (*hints(tried), *extract_required_words(pattern)))
            for place, (pattern, tried) in enumerate(table)
        ]
        self.always = [row for row in rows if not row.needed]
        self.rows: dict[str, list[_Row[RowT]]] = defaultdict(list)
        for row in rows:
            for word in row.needed[0] if row.needed else ():
                self.rows[word].append(row)
        self.words = sorted(
            {word for row in rows for required_words in row.needed for word in required_words}
        )
        self.automaton = AhoCorasick(self.words, store_patterns=False)


class PatternPrefilter(Generic[RowT]):
    """A table of rows with patterns, which returns those that may match a text.

    The words are read at the first use: for some hundred patterns that takes up to half a second,
    and most processes use few of the tables that they load.
    """

    def __init__(
        self,
        table: Iterable[tuple[PatternSource, RowT]],
        *,
        hints: Callable[[RowT], Hints] = lambda _: (),
    ) -> None:
        """Take a table; `hints` are words that rows need beside those read from their patterns."""
        self._table = tuple(table)
        self._hints = hints
        _loaded.add(self)

    @cached_property
    def _index(self) -> _Index[RowT]:
        return _Index(self._table, self._hints)

    def build(self) -> None:
        """Read the words now, for a caller that cannot wait at the first text."""
        _ = self._index

    def through(self, text: str) -> list[RowT]:
        """Yield the rows that may match a text, in the order of the table."""
        index = self._index
        folded = fold_case(text)
        try:
            found = index.automaton.find_matches_as_indexes(folded, overlapping=True)
        except UnicodeEncodeError:  # half a surrogate pair, of an emoji that was cut
            folded = folded.encode(errors="replace").decode()
            found = index.automaton.find_matches_as_indexes(folded, overlapping=True)
        there = {index.words[word] for word, _, _ in found}
        rows = {row.place: row for word in there for row in index.rows.get(word, ())}
        possible = [row for row in rows.values() if not any(map(there.isdisjoint, row.needed))]
        possible += index.always
        return [row.tried for row in sorted(possible, key=_place)]


_loaded: WeakSet[PatternPrefilter[Any]] = WeakSet()


def build_prefilters() -> None:
    """Build every table that this process has loaded, so that no event loop waits for it."""
    for prefilter in list(_loaded):
        prefilter.build()


class AnyPattern:
    """Many patterns as one: tells whether a text matches any of them."""

    def __init__(self, patterns: Iterable[str], flags: re.RegexFlag = re.NOFLAG) -> None:
        written = [LazyPattern(pattern, flags) for pattern in patterns]
        self._sieve = PatternPrefilter((pattern, pattern) for pattern in written)

    def stands_in(self, text: str) -> bool:
        return any(row_t.compiled.search(text) for row_t in self._sieve.through(text))


def _place(row: _Row[Any]) -> int:
    return row.place


def _of_sequence(sequence: Iterable[tuple[Any, Any]]) -> list[RequiredWords]:
    """Return the words that a sequence needs; words of adjacent parts are joined."""
    needed: list[RequiredWords] = []
    run: RequiredWords = _NOTHING
    for code, argument in sequence:
        exact = _exact(code, argument)
        if exact is None:
            needed += [run, *_of_part(code, argument)]
            run = _NOTHING
        elif len(run) * len(exact) > _MOST_WORDS:
            needed.append(run)
            run = exact
        else:
            run = _side_by_side(run, exact)
    return [required_words for required_words in (*needed, run) if "" not in required_words]


def _of_part(code: Any, argument: Any) -> list[RequiredWords]:
    """Return the words that one part needs, if it matches too many to list."""
    if code is codes.BRANCH:
        return _of_branches([_of_sequence(branch) for branch in argument[1]])
    if code in _REPEATS and argument[0] > 0:
        return _of_sequence(argument[2])
    inner = _inside(code, argument)
    return [] if inner is None else _of_sequence(inner)


def _of_branches(branches: Sequence[Sequence[RequiredWords]]) -> list[RequiredWords]:
    """Return a set with one of each branch's best sets; none if a branch has no set."""
    if not all(branches):
        return []
    return [
        frozenset[str]().union(*(max(map(_shortest, branch), key=_worth) for branch in branches))
    ]


def _exact(code: Any, argument: Any) -> RequiredWords | None:
    """Return everything that a part can match, folded; None if that is more than a few words."""
    if code in _ZERO_WIDTH:
        return _NOTHING
    if code is codes.LITERAL:
        return _of_character(argument)
    if code is codes.IN:
        return _of_class(argument)
    if code is codes.BRANCH:
        return _together(_exact_sequence(branch) for branch in argument[1])
    if code in _REPEATS and argument[1] == 1:
        once = _exact_sequence(argument[2])
        return once if once is None or argument[0] == 1 else once | _NOTHING
    inner = _inside(code, argument)
    return None if inner is None else _exact_sequence(inner)


def _inside(code: Any, argument: Any) -> Iterable[tuple[Any, Any]] | None:
    """Return the content of a group, capturing or not."""
    if code is codes.SUBPATTERN:
        return cast("Iterable[tuple[Any, Any]]", argument[-1])
    return cast("Iterable[tuple[Any, Any]]", argument) if code is codes.ATOMIC_GROUP else None


def _exact_sequence(sequence: Any) -> RequiredWords | None:
    """Return everything that a sequence can match; cached, because every level above asks again."""
    try:
        return cast("RequiredWords | None", sequence.exact)
    except AttributeError:
        sequence.exact = exact = _list_exact(sequence)
        return exact


def _list_exact(sequence: Iterable[tuple[Any, Any]]) -> RequiredWords | None:
    words: RequiredWords = _NOTHING
    for code, argument in sequence:
        exact = _exact(code, argument)
        if exact is None or len(words) * len(exact) > _MOST_WORDS:
            return None
        words = _side_by_side(words, exact)
    return words


def _side_by_side(words: RequiredWords, behind: RequiredWords) -> RequiredWords:
    return frozenset([word + other for word in words for other in behind])


def _together(each: Iterable[RequiredWords | None]) -> RequiredWords | None:
    words: RequiredWords = frozenset()
    for some in each:
        if some is None or len(words) + len(some) > _MOST_WORDS:
            return None
        words |= some
    return words


def _of_class(members: Sequence[tuple[Any, Any]]) -> RequiredWords | None:
    characters: list[int] = []
    for code, member in members:
        if code is codes.LITERAL:
            characters.append(member)
        elif code is codes.RANGE and member[1] - member[0] < _MOST_OF_A_CLASS:
            characters += range(member[0], member[1] + 1)
        else:
            return None
    if len(characters) > _MOST_OF_A_CLASS:
        return None
    return _together(map(_of_character, characters))


@cache
def _of_character(character: int) -> RequiredWords | None:
    """Return a character, folded as the text is; None if it has more than two cases."""
    text = chr(character)
    one = fold_case(text)
    return frozenset({one}) if text.isascii() or text.lower() == text.upper() == one else None


def _shortest(words: RequiredWords) -> RequiredWords:
    """Return the words without those that contain another one."""
    if len({*map(len, words)}) == 1:
        return words
    kept: list[str] = []
    for word in sorted(words, key=len):
        if not any(shorter in word for shorter in kept):
            kept.append(word)
    return frozenset(kept)


def _worth(words: RequiredWords) -> int:
    """Return the rarity of the most frequent of the words."""
    return min([sum(map(_worth_of, word)) for word in words])


@cache
def _worth_of(character: str) -> int:
    if "\u4e00" <= character <= "\u9fff":
        return _WORTH_OF_HAN
    return _WORTH_OF_DIGIT if character.isdecimal() else 1
