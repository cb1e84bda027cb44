"""The learnt weights: for each row, how much it speaks for each kind. One file, read once.

`bench fit-statements` writes it; what it holds and how it was learnt stands there.
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
"""Of the features and of the columns: weights of another version mean something else."""

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
    """That a reader would have kept it, were it of this kind."""
    fitting: tuple[float, ...]
    """That this kind is among those that a reader would give it, where they keep it."""


@dataclass(frozen=True, eq=False)
class StatementWeights:
    table: NDArray[np.int8]
    """A row for each feature; the columns of `right`, then those of `fitting`."""
    scale: NDArray[np.float32]
    """What 1 is worth in each column."""
    constant: NDArray[np.float32]

    def weigh(self, one: HashedFeatures) -> KindProbabilities:
        rows = self.table[np.array(one.rows, dtype=np.intp)].astype(np.float32)
        sums = np.array(one.amounts, dtype=np.float32) @ rows
        likely = 1.0 / (1.0 + np.exp(-(sums * self.scale + self.constant)))
        found = likely.tolist()
        return KindProbabilities(tuple(found[:_KINDS]), tuple(found[_KINDS:]))


def read_weights(file: Path) -> StatementWeights:
    """The weights in a file.

    Raises:
        WeightsUnreadable: it is not one of this version, or a part has another shape.
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
    """In whole steps, 127 to each side, of what is greatest in a column."""
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
    """Return those that are shipped."""
    with_package = files("palimpsest_language.scoring") / "weights.npz"
    return read_weights(Path(str(with_package)))
