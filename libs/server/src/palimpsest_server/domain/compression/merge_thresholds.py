"""The similarity from which two memories may be one, for each embedding model.

`thresholds.json` beside this has those of the local models; `palimpsest calibrate` measures others.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

WORDS_ALONE = frozenset({"hashing-64-1"})
"""Models that see words and no meaning: by their vectors nothing is ever merged."""
THRESHOLDS_FILE = Path(__file__).with_name("thresholds.json")


def get_merge_threshold(model: str, measured: Mapping[str, float]) -> float | None:
    """The cosine of this model, by its slug; None where it was never calibrated.

    What was `measured` here goes before what comes with us.
    """
    return measured.get(model, _thresholds().get(model))


def is_measurable(model: str) -> bool:
    """Tell whether a threshold of this model, by its slug, would mean anything."""
    return model not in WORDS_ALONE


def load_merge_thresholds() -> dict[str, float]:
    """Load the thresholds by the slug of the model."""
    thresholds: dict[str, float] = json.loads(THRESHOLDS_FILE.read_text())
    return thresholds


@cache
def _thresholds() -> dict[str, float]:
    return load_merge_thresholds()
