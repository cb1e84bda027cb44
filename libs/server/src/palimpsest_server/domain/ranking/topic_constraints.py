"""Promote memories of the question's topics, which constrain the answer without sharing a word.

Everything is measured in deviations of unrelated texts, so the constants fit every model.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from palimpsest.model.vectors import unit_vector
from palimpsest_server.domain.ranking.match_pool import SearchMatch
from palimpsest_server.domain.ranking.similarity_calibration import Calibration

MATCHES_FROM_DEVIATIONS = 2.0
"""Deviations in the direction of a topic that one unrelated text in fifty reaches."""

MATCHES_WITH_WORD_FROM_DEVIATIONS = 1.0
"""Deviations that suffice with a word of the topic. By the word alone, a door with a heart on it
would be about health."""

PROMOTION_PER_DEVIATION = 0.35
"""Deviations of the gate for each deviation in the direction of the topic."""

PROMOTION_PER_LEXICAL_UNIT = 0.2
"""Deviations of the gate for each unit of the BM25 score by the words of the topic."""

PLAUSIBLE_FROM = 1.0
"""Plausibility that a question needs, because nonsense is full of topic words too."""


class TopicMatch(NamedTuple):
    """Scores of a memory in the search by the topics of a question."""

    cosine: float | None
    """Cosine to the direction of the topics; None if the memory is not among the nearest."""
    lexical: float | None
    """BM25 score by the words of the topics."""


class TopicDirections(NamedTuple):
    """Directions of the topics in the space of one embedding model."""

    of: Mapping[str, Sequence[float]]
    """Directions of length 1 by topic name."""
    calibration: Calibration
    """Calibration of the cosines of unrelated texts to these directions."""

    def combine(self, topics: Collection[str]) -> list[float]:
        """Return the joint direction of several topics, of length 1."""
        return unit_vector(_mean([self.of[topic] for topic in topics]))

    def is_match(self, match: TopicMatch) -> bool:
        if match.cosine is None:
            return False
        least = MATCHES_WITH_WORD_FROM_DEVIATIONS if match.lexical else MATCHES_FROM_DEVIATIONS
        return self.calibration.deviations(match.cosine) >= least

    def promotion(self, match: TopicMatch) -> float:
        """Return by how many deviations of the gate a memory counts as nearer; 0 if it does not match."""
        if match.cosine is None or not self.is_match(match):
            return 0.0
        deviations = self.calibration.deviations(match.cosine)
        return PROMOTION_PER_DEVIATION * deviations + PROMOTION_PER_LEXICAL_UNIT * (
            match.lexical or 0.0
        )


def compute_topic_directions(
    examples: Mapping[str, Sequence[Sequence[float]]],
) -> dict[str, list[float]]:
    """Return each topic's direction: the mean of its examples without what all topics share."""
    means = {topic: _mean(vectors) for topic, vectors in examples.items()}
    common = _mean([*means.values()])
    return {
        topic: unit_vector([value - shared for value, shared in zip(mean, common, strict=True)])
        for topic, mean in means.items()
    }


def measure_topic_opening(
    plausibility: float, matches: Collection[TopicMatch], directions: TopicDirections
) -> float | None:
    """Return the margin by which topics open the gate; None if no memory matches them."""
    return plausibility - PLAUSIBLE_FROM if any(map(directions.is_match, matches)) else None


def promote(
    matches: Collection[SearchMatch],
    admitted: Collection[str],
    topic_matches: Mapping[str, TopicMatch],
    directions: TopicDirections,
    spread: float,
) -> list[SearchMatch]:
    """Return the admitted matches, and memories that match the topics, which count as nearer.

    A memory found by topic alone counts from the cosine of the farthest match. `spread` is that of
    the gate's calibration.
    """
    found = {match.id: match for match in matches}
    least = min((match.cosine for match in matches if match.cosine is not None), default=0.0)
    topical = {
        identity: match for identity, match in topic_matches.items() if directions.is_match(match)
    }

    def bring_nearer(identity: str) -> SearchMatch:
        match = found.get(identity, SearchMatch(identity))
        if identity not in topical:
            return match
        by = directions.promotion(topical[identity]) * spread
        return match._replace(cosine=(least if match.cosine is None else match.cosine) + by)

    return [bring_nearer(identity) for identity in dict.fromkeys((*admitted, *topical))]


def _mean(vectors: Sequence[Sequence[float]]) -> list[float]:
    return [math.fsum(values) / len(vectors) for values in zip(*vectors, strict=True)]
