"""The file of weights: what is written is read again, and what is not one is refused in words."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palimpsest_language.scoring.candidate_proposals import SCORED_KINDS
from palimpsest_language.scoring.features import FEATURE_ROWS, HashedFeatures
from palimpsest_language.scoring.weights import (
    WEIGHTS_VERSION,
    WeightsUnreadable,
    load_shipped_weights,
    quantize_weights,
    read_weights,
    write_weights,
)

COLUMNS = 2 * len(SCORED_KINDS)
MEGABYTE_AND_A_HALF = 1_500_000


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    table = np.zeros((FEATURE_ROWS, COLUMNS))
    table[7, 0], table[9, 0] = 4.0, -4.0
    write_weights(tmp_path / "weights.npz", quantize_weights(table, np.zeros(COLUMNS)))
    read = read_weights(tmp_path / "weights.npz")
    speaks_for = read.weigh(HashedFeatures((7,), (1.0,))).right[0]
    speaks_against = read.weigh(HashedFeatures((9,), (1.0,))).right[0]
    assert speaks_for == pytest.approx(0.982, abs=0.001)
    assert speaks_against == pytest.approx(0.018, abs=0.001)
    assert read.weigh(HashedFeatures((), ())).right[0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"version": np.array(WEIGHTS_VERSION + 1)}, f"this program reads {WEIGHTS_VERSION}"),
        ({"table": np.zeros((3, COLUMNS), dtype=np.int8)}, r"table is \(3, "),
        ({"scale": np.zeros(2, dtype=np.float32)}, r"scale is \(2,\)"),
    ],
)
def test_weights_of_another_shape_or_version_are_refused(
    tmp_path: Path, changed: dict[str, Any], words: str
) -> None:
    parts: dict[str, Any] = {
        "version": np.array(WEIGHTS_VERSION),
        "table": np.zeros((FEATURE_ROWS, COLUMNS), dtype=np.int8),
        "scale": np.ones(COLUMNS, dtype=np.float32),
        "constant": np.zeros(COLUMNS, dtype=np.float32),
    }
    np.savez_compressed(tmp_path / "weights.npz", **{**parts, **changed})
    with pytest.raises(WeightsUnreadable, match=words):
        read_weights(tmp_path / "weights.npz")


def test_a_file_that_is_none_or_is_missing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_bytes(b"nothing of the kind")
    with pytest.raises(WeightsUnreadable, match="holds no weights"):
        read_weights(tmp_path / "weights.npz")
    with pytest.raises(WeightsUnreadable, match="holds no weights"):
        read_weights(tmp_path / "missing.npz")


def test_those_that_are_shipped_are_small_and_read_once() -> None:
    assert load_shipped_weights() is load_shipped_weights()
    module = Path(read_weights.__code__.co_filename)
    assert (module.parent / "weights.npz").stat().st_size < MEGABYTE_AND_A_HALF
