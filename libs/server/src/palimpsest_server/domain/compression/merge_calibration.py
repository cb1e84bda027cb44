"""Calibrate, on labelled pairs, the similarity from which two memories are the same."""

from collections.abc import Sequence
from typing import NamedTuple

from palimpsest.model.value_types import Value
from palimpsest_language.paraphrases import is_possible_paraphrase


class CalibrationPair(NamedTuple):
    """Two statements, their cosine in a model, and whether they say the same."""

    one: str
    other: str
    cosine: float
    same: bool


class MergeCalibration(Value):
    threshold: float
    """Cosine from which two memories are merged, unless their words differ in meaning."""
    highest_different: float
    """Highest cosine of different statements whose words do not show the difference."""
    pairs: int
    merged_rightly: float
    """Share of the equal pairs that would be merged."""
    merged_wrongly: int
    """Number of different pairs that would be merged."""


def calibrate_merge_threshold(pairs: Sequence[CalibrationPair]) -> MergeCalibration:
    """Return the threshold halfway between the most similar different pair and identity.

    Halfway, because the pairs are only a sample: two memories left unmerged are a nuisance, but merging
    different ones loses information.

    Raises:
        ValueError: equal or different pairs are missing.
    """
    same = [pair for pair in pairs if pair.same]
    different = [pair for pair in pairs if not pair.same]
    if not same or not different:
        raise ValueError("pairs that say the same and pairs that do not are needed")
    unseen = [pair.cosine for pair in different if is_possible_paraphrase(pair.one, pair.other)]
    # If words distinguish all different pairs, the most similar of them is used.
    highest = max(unseen or [pair.cosine for pair in different])
    threshold = round((1.0 + highest) / 2, 4)
    merged = [pair for pair in pairs if _merges(pair, threshold)]
    right = sum(pair.same for pair in merged)
    return MergeCalibration(
        threshold=threshold,
        highest_different=round(highest, 4),
        pairs=len(pairs),
        merged_rightly=round(right / len(same), 4),
        merged_wrongly=len(merged) - right,
    )


def _merges(pair: CalibrationPair, threshold: float) -> bool:
    return pair.cosine >= threshold and is_possible_paraphrase(pair.one, pair.other)
