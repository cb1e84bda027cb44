"""What says again what better results say: one fact six times is no six results. Pure.

Similarity in meaning cannot tell: "the meeting is on Monday" and "… on Tuesday" are nearer to
each other than two ways of saying either. Words can, once those of the question are left out,
which all results share.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from palimpsest.domain.ranking.fusion import Ranked

REPEATS_BELOW = 0.55
"""Of what it says must be new, each word half as new for each result that has said it already: so
the same words again repeat, and what is mostly new never does, however often the rest was said."""

_SAID_AGAIN = 0.5
_DENIES = re.compile(r"\b(?:not?|never|neither|nor|without|cannot)\b|n['’]t\b|[不没别未無无]")


class Says(NamedTuple):
    """What a content says, as far as telling it from others needs it."""

    terms: Mapping[int, float]
    """By their hash, with how rare each is."""
    denies: bool = False
    """What is denied is not what is said: "likes tea" and "does not like tea" are two things."""


def denies(content: str) -> bool:
    return _DENIES.search(content.lower()) is not None


def repeating(
    ranked: Sequence[Ranked], says: Mapping[str, Says], asked: Collection[int]
) -> frozenset[str]:
    """The ids of those that say hardly anything which better ones do not.

    What rests on the same messages as a better one is the same thing already,
    and says nothing twice.

    Args:
        ranked: best first.
        says: of those whose contents are known; of others nothing is told.
        asked: the terms of the question.
    """
    covered: set[str] = set()
    heard: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    found: set[str] = set()
    for one in ranked:
        known, sources = says.get(one.contender.id), one.contender.sources
        if known is not None and not sources <= covered:
            new = {term: rarity for term, rarity in known.terms.items() if term not in asked}
            if _newness(new, heard[known.denies]) < REPEATS_BELOW:
                found.add(one.contender.id)
            else:
                heard[known.denies].update(new.keys())
        covered |= sources
    return frozenset(found)


def _newness(terms: Mapping[int, float], heard: Mapping[int, int]) -> float:
    whole = sum(terms.values())
    if not whole:
        return 1.0
    return sum(rarity * _SAID_AGAIN ** heard.get(term, 0) for term, rarity in terms.items()) / whole
