"""What says again what better results say: one fact six times is no six results. Pure.

Similarity in meaning cannot tell: "the meeting is on Monday" and "… on Tuesday" are nearer to
each other than two ways of saying either. Words can, once those of the question are left out,
which all results share.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from palimpsest_server.domain.ranking.score import RankedCandidate

REPEATS_BELOW = 0.55
"""Of what it says must be new, each word half as new for each result that has said it already: so
the same words again repeat, and what is mostly new never does, however often the rest was said."""

_SAID_AGAIN = 0.5
_DENIES = re.compile(r"\b(?:not?|never|neither|nor|without|cannot)\b|n['’]t\b|[不没别未無无]")


_WORD = re.compile(r"[a-z0-9]+|[^\x00-\x7f\W]+")
_PARTICLES = frozenset(
    "的了着过是在和与也都就还又很吗呢吧啊呀嘛哦嗯我你您他她它们这那个把被对从到给让"
)
_PARTICLES_BELOW = 3
_LATIN_PARTICLES = frozenset(
    """the and but for not nor you your his her its our their they them she who how what when where which
    that this these those there here are was were has have had did does can will would with from about
    into onto than then also very just also user""".split()  # noqa: SIM905
)


class ContentTerms(NamedTuple):
    """What a content says, as far as telling it from others needs it."""

    terms: frozenset[str]
    denies: bool = False
    """What is denied is not what is said: "likes tea" and "does not like tea" are two things."""


def extract_content_terms(content: str) -> ContentTerms:
    """Words, of Latin ones those that are not mostly particles; of other scripts each character."""
    return ContentTerms(frozenset(_terms(content.lower())), is_negated(content))


def _terms(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if not word.isascii():
            yield from (one for one in word if one not in _PARTICLES)
        elif word.isdigit() or (len(word) >= _PARTICLES_BELOW and word not in _LATIN_PARTICLES):
            yield word.removesuffix("s")


def is_negated(content: str) -> bool:
    return _DENIES.search(content.lower()) is not None


def find_repetitions(
    ranked: Sequence[RankedCandidate], told: Mapping[str, ContentTerms], asked: Collection[str]
) -> frozenset[str]:
    """The ids of those that say hardly anything which better ones do not.

    What rests on the same messages as a better one is the same thing already,
    and says nothing twice.

    Args:
        ranked: best first.
        told: of those whose contents are known; of others nothing is told.
        asked: the terms of the question.
    """
    covered: set[str] = set()
    heard: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    found: set[str] = set()
    for one in ranked:
        known, sources = told.get(one.contender.id), one.contender.sources
        if known is not None and not sources <= covered:
            new = known.terms.difference(asked)
            if _newness(new, heard[known.denies]) < REPEATS_BELOW:
                found.add(one.contender.id)
            else:
                heard[known.denies].update(new)
        covered |= sources
    return frozenset(found)


def _newness(terms: Collection[str], heard: Mapping[str, int]) -> float:
    if not terms:
        return 1.0
    return sum(_SAID_AGAIN ** heard.get(term, 0) for term in terms) / len(terms)


def take_distinct(
    ranked: Sequence[RankedCandidate], limit: int, repeats: Collection[str] = ()
) -> list[RankedCandidate]:
    """At most `limit`, in the order given, `repeats` behind all others.

    They are returned only while there is room, as is what rests on nothing but
    messages that a better one already stands for.
    """
    covered: set[str] = set()
    taken: list[int] = []
    waiting: list[int] = []
    again = [one.contender.id in repeats for one in ranked]
    for position, one in enumerate(ranked):
        if len(taken) == limit:
            break
        waits = again[position] or one.contender.sources <= covered
        (waiting if waits else taken).append(position)
        covered |= one.contender.sources
    kept = [*taken, *waiting[: limit - len(taken)]]
    return [ranked[position] for position in sorted(kept, key=lambda each: (again[each], each))]
