"""The similarity from which two memories may be the same, for each embedding model.

`thresholds.json` beside this has those of the local models; `palimpsest calibrate` measures others.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

WORDS_ALONE = frozenset({"hashing-64-1"})
"""Models that compare words and not meaning. Their vectors never cause a merge."""
THRESHOLDS_FILE = Path(__file__).with_name("thresholds.json")


def get_merge_threshold(model: str, measured: Mapping[str, float]) -> float | None:
    """Return the threshold of a model, by its slug; None if it was never calibrated.

    A value in `measured` takes precedence over the built-in one.
    """
    return measured.get(model, _thresholds().get(model))


def is_measurable(model: str) -> bool:
    """Return whether measuring a threshold for this model, by its slug, makes sense."""
    return model not in WORDS_ALONE


def load_merge_thresholds() -> dict[str, float]:
    """Load the thresholds by the slug of the model."""
    thresholds: dict[str, float] = json.loads(THRESHOLDS_FILE.read_text())
    return thresholds


@cache
def _thresholds() -> dict[str, float]:
    return load_merge_thresholds()
