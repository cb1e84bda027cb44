"""How memories of a question's themes are led to: by so much they count as nearer than they are.

Measured by the model's own strangers, so that it is the same for every model.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from palimpsest.model.vectors import unit_vector
from palimpsest_server.domain.ranking.match_pool import SearchMatch
from palimpsest_server.domain.ranking.similarity_calibration import Calibration

MATCHES_FROM_DEVIATIONS = 2.0
"""In the direction of a theme: so far one in fifty texts of whatever lies."""

MATCHES_WITH_WORD_FROM_DEVIATIONS = 1.0
"""The same for what has a word of the theme besides. By the word alone a door with a heart on it would
speak of health."""

PROMOTION_PER_DEVIATION = 0.35
"""Deviations of the gate, for each deviation in the direction of the theme."""

PROMOTION_PER_LEXICAL_UNIT = 0.2
"""The same for each unit of what BM25 gives for the words of the theme."""

PLAUSIBLE_FROM = 1.0
"""What nobody can mean is full of such words too; so the question must speak of a life by itself."""


class TopicMatch(NamedTuple):
    """How a memory stands in the themes of a question."""

    cosine: float | None
    """To their direction; None: not among the nearest to it."""
    lexical: float | None
    """By their words."""


class TopicDirections(NamedTuple):
    """Where each theme lies in the space of one model."""

    of: Mapping[str, Sequence[float]]
    """By the theme's name, of length 1."""
    calibration: Calibration
    """What texts of whatever have in common with them."""

    def combine(self, themes: Collection[str]) -> list[float]:
        """The direction of several, of length 1."""
        return unit_vector(_mean([self.of[theme] for theme in themes]))

    def is_match(self, one: TopicMatch) -> bool:
        if one.cosine is None:
            return False
        least = MATCHES_WITH_WORD_FROM_DEVIATIONS if one.lexical else MATCHES_FROM_DEVIATIONS
        return self.calibration.deviations(one.cosine) >= least

    def promotion(self, one: TopicMatch) -> float:
        """By how many deviations of the gate a memory counts as nearer; 0 where it does not stand in it."""
        if one.cosine is None or not self.is_match(one):
            return 0.0
        deviations = self.calibration.deviations(one.cosine)
        return PROMOTION_PER_DEVIATION * deviations + PROMOTION_PER_LEXICAL_UNIT * (
            one.lexical or 0.0
        )


def compute_topic_directions(
    told: Mapping[str, Sequence[Sequence[float]]],
) -> dict[str, list[float]]:
    """Of themes by the embeddings of what is told of each: their means, without what all share."""
    means = {theme: _mean(vectors) for theme, vectors in told.items()}
    common = _mean([*means.values()])
    return {
        theme: unit_vector([value - shared for value, shared in zip(mean, common, strict=True)])
        for theme, mean in means.items()
    }


def measure_topic_opening(
    says: float, standing: Collection[TopicMatch], directions: TopicDirections
) -> float | None:
    """By how much a theme opens the gate to a question of this sense; None where no memory stands in it."""
    return says - PLAUSIBLE_FROM if any(map(directions.is_match, standing)) else None


def promote(
    matches: Collection[SearchMatch],
    admitted: Collection[str],
    standing: Mapping[str, TopicMatch],
    directions: TopicDirections,
    spread: float,
) -> list[SearchMatch]:
    """What was admitted, and the memories that stand in the themes, these as much nearer as they do.

    What was found by its theme alone counts as far away as the farthest find. `spread` is the gate's.
    """
    found = {match.id: match for match in matches}
    least = min((one.cosine for one in matches if one.cosine is not None), default=0.0)
    stand = {one: how for one, how in standing.items() if directions.is_match(how)}

    def nearer(identity: str) -> SearchMatch:
        match = found.get(identity, SearchMatch(identity))
        if identity not in stand:
            return match
        by = directions.promotion(stand[identity]) * spread
        return match._replace(cosine=(least if match.cosine is None else match.cosine) + by)

    return [nearer(identity) for identity in dict.fromkeys((*admitted, *stand))]


def _mean(vectors: Sequence[Sequence[float]]) -> list[float]:
    return [math.fsum(values) / len(vectors) for values in zip(*vectors, strict=True)]
