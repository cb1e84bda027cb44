"""From which similarity on two memories may be one, for each embedding model.

`thresholds.json` beside this is written by `palimpsest calibrate`.
"""

import json
from functools import cache
from pathlib import Path

THRESHOLDS_FILE = Path(__file__).with_name("thresholds.json")


def threshold_of(model: str) -> float | None:
    """The cosine of this model, by its slug; None where it was never calibrated: nothing merges."""
    return _thresholds().get(model)


def known_thresholds() -> dict[str, float]:
    """As they are written down, by the slug of the model."""
    thresholds: dict[str, float] = json.loads(THRESHOLDS_FILE.read_text())
    return thresholds


@cache
def _thresholds() -> dict[str, float]:
    return known_thresholds()
