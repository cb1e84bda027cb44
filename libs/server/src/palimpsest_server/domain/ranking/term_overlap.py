"""Measure how much of a Chinese question occurs in the hits.

The end of a Chinese word depends on its neighbours, and words for the same thing may
share a character: 开张 and 开业, 学费 and 学杂费. So a hit is compared with the
words of the question and with their characters, rarer ones counting more.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

COMPARED_FINDS = 20
"""Hits of each arm that are compared with the question; hits further back add nothing."""


class TermRarities(NamedTuple):
    """The terms of a question by their hash, with their rarity in the language, in nats."""

    words: Mapping[int, float]
    characters: Mapping[int, float]
    """Characters of its Chinese words, and whole words of other scripts."""


class SharedTerms(NamedTuple):
    """Shares of the question that one hit has, weighted by rarity, between 0 and 1."""

    words: float
    characters: float


class TermOverlap(NamedTuple):
    of: Mapping[str, SharedTerms]
    """Shares by hit id, for the best hits of each arm."""
    seen: float
    """Share of the question's characters that occur in any of these hits."""


def measure_overlap(asked: TermRarities, terms: Mapping[str, Collection[int]]) -> TermOverlap:
    """Measure the overlap of a question with these hits, each given by the hashes of its terms."""
    words, characters = sum(asked.words.values()), sum(asked.characters.values())
    found = {identity: frozenset(hashes) for identity, hashes in terms.items()}
    anywhere = frozenset[int]().union(*found.values())
    return TermOverlap(
        of={
            identity: SharedTerms(
                words=_share(asked.words, hashes, words),
                characters=_share(asked.characters, hashes, characters),
            )
            for identity, hashes in found.items()
        },
        seen=_share(asked.characters, anywhere, characters),
    )


def merge_rarities(rarities: Sequence[TermRarities], weights: Sequence[float]) -> TermRarities:
    """Merge several texts into one question: each term has its greatest weight in any of them."""
    words: dict[int, float] = {}
    characters: dict[int, float] = {}
    for one, weight in zip(rarities, weights, strict=True):
        for merged, own in ((words, one.words), (characters, one.characters)):
            for term, rarity in own.items():
                merged[term] = max(merged.get(term, 0.0), weight * rarity)
    return TermRarities(words, characters)


def _share(asked: Mapping[int, float], found: Collection[int], whole: float) -> float:
    if not whole:
        return 0.0
    return sum(rarity for term, rarity in asked.items() if term in found) / whole
