"""The regression finds what made the samples, and keeps to the signs it is given."""

import numpy as np
import pytest

from palimpsest_lab.fitting.logistic_regression import fit_logistic_regression, fit_named_weights


def samples(*, weights: tuple[float, ...], constant: float) -> tuple[np.ndarray, np.ndarray]:
    drawn = np.random.default_rng(7)
    values = drawn.normal(size=(4000, len(weights)))
    likely = 1 / (1 + np.exp(-(values @ np.array(weights) + constant)))
    return values, (drawn.random(len(values)) < likely).astype(float)


def test_the_weights_that_made_the_samples_are_found_again() -> None:
    values, positive = samples(weights=(2.0, -1.0), constant=0.5)
    constant, found = fit_logistic_regression(values, positive, np.ones(len(values)), ridge=0.01)
    assert constant == pytest.approx(0.5, abs=0.15)
    assert found == pytest.approx([2.0, -1.0], abs=0.2)


def test_a_wide_ridge_holds_the_weights_down_but_not_the_constant() -> None:
    values, positive = samples(weights=(2.0,), constant=1.0)
    constant, found = fit_logistic_regression(values, positive, np.ones(len(values)), ridge=1e6)
    assert abs(found[0]) < 0.01
    share = positive.mean()
    assert constant == pytest.approx(np.log(share / (1 - share)), abs=0.05)


def test_what_must_rise_is_left_out_where_it_would_fall() -> None:
    values, positive = samples(weights=(2.0, -1.0), constant=0.5)
    evenly = np.ones(len(values))
    free = fit_named_weights(["near", "far"], values * 10, positive, evenly, rising=())
    assert free["near"] == pytest.approx(0.2, abs=0.03)
    assert free["far"] == pytest.approx(-0.1, abs=0.03)
    held = fit_named_weights(["near", "far"], values * 10, positive, evenly, rising={"near", "far"})
    assert held["far"] == 0.0
    assert held["near"] > 0.1


def test_of_samples_that_count_nothing_nothing_is_learnt() -> None:
    values, positive = samples(weights=(2.0,), constant=0.0)
    wrong = np.concatenate([positive, 1 - positive])
    doubled = np.concatenate([values, values])
    weights = np.concatenate([np.ones(len(values)), np.zeros(len(values))])
    _, found = fit_logistic_regression(doubled, wrong, weights, ridge=0.01)
    assert found == pytest.approx([2.0], abs=0.2)


def test_fewer_samples_than_columns_weigh_as_they_do_among_copies_that_count_nothing() -> None:
    values = np.random.default_rng(7).normal(size=(20, 30))
    positive = (values[:, 0] > 0).astype(float)
    few = fit_logistic_regression(values, positive, np.ones(20), ridge=1.0)
    many = fit_logistic_regression(
        np.tile(values, (2, 1)), np.tile(positive, 2), np.repeat([1.0, 0.0], 20), ridge=1.0
    )
    assert few[0] == pytest.approx(many[0])
    assert few[1] == pytest.approx(many[1])
