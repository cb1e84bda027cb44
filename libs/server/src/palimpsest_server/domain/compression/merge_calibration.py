"""Calibrate, on labelled pairs, the similarity from which two memories are one."""

from collections.abc import Sequence
from typing import NamedTuple

from palimpsest.model.value_types import Value
from palimpsest_language.paraphrases import is_possible_paraphrase


class CalibrationPair(NamedTuple):
    """Two statements, the cosine that a model gives them, and whether they say the same."""

    one: str
    other: str
    cosine: float
    same: bool


class MergeCalibration(Value):
    threshold: float
    """A cosine: from here on, and where no word speaks against it, two are one."""
    highest_different: float
    """Of the pairs that say different things, and of which no word shows it."""
    pairs: int
    merged_rightly: float
    """The share of the pairs that say the same and would be merged."""
    merged_wrongly: int
    """How many of the others would be."""


def calibrate_merge_threshold(pairs: Sequence[CalibrationPair]) -> MergeCalibration:
    """The threshold halfway between the nearest different pair and identity.

    Halfway, for these are some pairs and the world has others: to leave two
    standing is a nuisance, to merge what differs is a loss.

    Raises:
        ValueError: there are not both kinds of pairs.
    """
    same = [pair for pair in pairs if pair.same]
    different = [pair for pair in pairs if not pair.same]
    if not same or not different:
        raise ValueError("pairs that say the same and pairs that do not are needed")
    unseen = [pair.cosine for pair in different if is_possible_paraphrase(pair.one, pair.other)]
    # Where words tell all of them apart, the nearest of all is what there is to go by.
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
