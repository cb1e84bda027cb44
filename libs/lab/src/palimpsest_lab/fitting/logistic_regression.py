"""Logistic regression with a ridge, by Newton's method (iteratively reweighted least squares)."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

STEPS = 25
CONVERGENCE_TOLERANCE = 1e-5


def fit_logistic_regression(
    samples: Numbers, positive: Numbers, weights: Numbers, *, ridge: float
) -> tuple[float, Numbers]:
    """The constant and the weight of each column that make the samples with 1 in `positive` likely.

    The ridge does not hold the constant. See Hastie, Tibshirani, Friedman, The
    Elements of Statistical Learning, section 4.4.1.
    """
    if len(samples) < samples.shape[1]:
        # The ridge keeps the weights within the space that the samples span: so few unknowns will do.
        span = np.linalg.qr(samples.T).Q
        constant, found = fit_logistic_regression(samples @ span, positive, weights, ridge=ridge)
        return constant, span @ found
    with_constant = np.column_stack([np.ones(len(samples)), samples])
    penalty = np.eye(with_constant.shape[1]) * ridge
    penalty[0, 0] = CONVERGENCE_TOLERANCE
    found = np.zeros(with_constant.shape[1])
    for _ in range(STEPS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(with_constant @ found, -30.0, 30.0)))
        slope = with_constant.T @ (weights * (likely - positive)) + penalty @ found
        bend = (with_constant * (weights * likely * (1.0 - likely))[:, None]).T @ with_constant
        step = np.linalg.solve(bend + penalty, slope)
        found = found - step
        if np.abs(step).max() < CONVERGENCE_TOLERANCE:
            break
    return float(found[0]), found[1:]


def fit_named_weights(
    names: Sequence[str],
    samples: Numbers,
    positive: Numbers,
    weights: Numbers,
    *,
    rising: Collection[str],
    ridge: float = 1.0,
) -> dict[str, float]:
    """The weight of each named column, and `constant`; columns are scaled to one spread for it.

    What is among `rising` never speaks against: where it would, its weight is 0 and
    the others are fitted without it.
    """
    kept = list(range(len(names)))
    spread = samples.std(axis=0) + CONVERGENCE_TOLERANCE
    average = samples.mean(axis=0)
    scaled = (samples - average) / spread
    while True:
        constant, found = fit_logistic_regression(scaled[:, kept], positive, weights, ridge=ridge)
        falling = [
            column
            for column, weight in zip(kept, found, strict=True)
            if weight < 0 and names[column] in rising
        ]
        if not falling:
            break
        kept = [column for column in kept if column not in falling]
    weight_of = {
        column: weight / spread[column] for column, weight in zip(kept, found, strict=True)
    }
    shift = sum(weight * average[column] for column, weight in weight_of.items())
    return {
        "constant": constant - float(shift),
        **{name: float(weight_of.get(column, 0.0)) for column, name in enumerate(names)},
    }
