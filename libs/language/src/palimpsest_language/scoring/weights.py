"""The learnt weights: for each row, how much it supports each kind.

They are in one file, which is read once. `bench fit-statements` writes it, with notes on its
contents and how it was learnt.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palimpsest.model.errors import PermanentError
from palimpsest_language.scoring.candidate_proposals import SCORED_KINDS
from palimpsest_language.scoring.features import FEATURE_ROWS, HashedFeatures

WEIGHTS_VERSION = 1
"""The version of features and columns: weights of another version do not fit them."""

_KINDS = len(SCORED_KINDS)
_COLUMNS = 2 * _KINDS
_PARTS = {
    "version": (),
    "table": (FEATURE_ROWS, _COLUMNS),
    "scale": (_COLUMNS,),
    "constant": (_COLUMNS,),
}


class WeightsUnreadable(PermanentError):
    """The file of learnt weights is missing, broken, or of another version."""


@dataclass(frozen=True)
class KindProbabilities:
    """Probabilities, for each of `SCORED_KINDS`."""

    right: tuple[float, ...]
    """The probability that a reader would have kept it with each kind."""
    fitting: tuple[float, ...]
    """The probability that a reader who keeps it names each kind."""


@dataclass(frozen=True, eq=False)
class StatementWeights:
    table: NDArray[np.int8]
    """A row for each feature; the columns of `right`, then those of `fitting`."""
    scale: NDArray[np.float32]
    """The value of one step in each column."""
    constant: NDArray[np.float32]

    def weigh(self, hashed_features: HashedFeatures) -> KindProbabilities:
        rows = self.table[np.array(hashed_features.rows, dtype=np.intp)].astype(np.float32)
        sums = np.array(hashed_features.amounts, dtype=np.float32) @ rows
        likely = 1.0 / (1.0 + np.exp(-(sums * self.scale + self.constant)))
        found = likely.tolist()
        return KindProbabilities(tuple(found[:_KINDS]), tuple(found[_KINDS:]))


def read_weights(file: Path) -> StatementWeights:
    """Read the weights of a file.

    Raises:
        WeightsUnreadable: the file is of another version, or a part has another shape.
    """
    try:
        with np.load(file, allow_pickle=False) as parts:
            read = {name: parts[name] for name in _PARTS}
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise WeightsUnreadable(f"{file} holds no weights of statements: {error}") from None
    if int(read["version"].ravel()[0]) != WEIGHTS_VERSION:
        raise WeightsUnreadable(
            f"{file} is of version {read['version']}, and this program reads {WEIGHTS_VERSION}: "
            "fit it again with `palimpsest bench fit-statements`"
        )
    for name, shape in _PARTS.items():
        if read[name].shape != shape:
            raise WeightsUnreadable(
                f"{file}: {name} is {read[name].shape}, "
                f"and not {shape} for {', '.join(SCORED_KINDS)}: "
                "fit it again with `palimpsest bench fit-statements`, or state `has_weights=False`"
            )
    return StatementWeights(read["table"], read["scale"], read["constant"])


def quantize_weights(table: NDArray[np.float64], constant: NDArray[np.float64]) -> StatementWeights:
    """Quantize weights to whole steps, up to 127 on each side of 0, per column."""
    scale = np.maximum(np.abs(table).max(axis=0), 1e-9) / 127.0
    return StatementWeights(
        table=np.round(table / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        constant=constant.astype(np.float32),
    )


def write_weights(file: Path, weights: StatementWeights) -> None:
    parts: dict[str, Any] = {"version": np.array(WEIGHTS_VERSION), **vars(weights)}
    np.savez_compressed(file, **parts)


@cache
def load_shipped_weights() -> StatementWeights:
    """Return the shipped weights."""
    with_package = files("palimpsest_language.scoring") / "weights.npz"
    return read_weights(Path(str(with_package)))
