"""The similarity from which two memories may be one, for each embedding model.

`thresholds.json` beside this has those of the local models; `palimpsest calibrate` measures others.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

THRESHOLDS_FILE = Path(__file__).with_name("thresholds.json")


def get_merge_threshold(model: str, measured: Mapping[str, float]) -> float | None:
    """The cosine of this model, by its slug; None where it was never calibrated: nothing merges.

    What was `measured` here goes before what comes with us.
    """
    return measured.get(model, _thresholds().get(model))


def load_merge_thresholds() -> dict[str, float]:
    """Load the thresholds by the slug of the model."""
    thresholds: dict[str, float] = json.loads(THRESHOLDS_FILE.read_text())
    return thresholds


@cache
def _thresholds() -> dict[str, float]:
    return load_merge_thresholds()
