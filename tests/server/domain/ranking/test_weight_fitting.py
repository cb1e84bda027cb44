"""Weights are learned from what was used, and worth having only where they win elsewhere."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.domain.ranking.ranking_policy import DIALOGUE
from palimpsest_server.domain.ranking.score import ScoreBreakdown
from palimpsest_server.domain.ranking.weight_fitting import (
    FEWEST_RECALLS,
    SCORE_FEATURES,
    TUNED_POLICY_NAME,
    RecallOutcome,
    extract_score_features,
    fit_policy,
    fit_weights,
    read_weights,
    reciprocal_rank,
    replace_weights,
)

NOTHING = (0.0,) * len(SCORE_FEATURES)


def traces(count: int, *, telling: int | None, seed: int = 1) -> list[RecallOutcome]:
    """Recalls of six results; what is used has most of the telling sign, or is anything."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        returned = {
            f"m{one}": tuple(round(chance.random(), 3) for _ in SCORE_FEATURES) for one in range(6)
        }
        used = (
            max(returned, key=lambda one: returned[one][telling])
            if telling is not None
            else chance.choice(sorted(returned))
        )
        made.append(RecallOutcome(f"r{number}", returned, frozenset({used})))
    return made


def test_signs_are_parts_without_their_weights() -> None:
    parts = ScoreBreakdown(
        dense=0.2, sparse=0.5, neighbours=0.1, speaker=0.4, length=0.15, time=0.0
    )
    assert extract_score_features(parts, DIALOGUE) == pytest.approx((0.5, 1.0, 0.25, 1.0, 0.5, 0.0))
    unweighed = DIALOGUE.model_copy(update={"speaker": 0.0})
    assert extract_score_features(parts, unweighed)[3] == 0.0


def test_weights_make_a_policy_of_their_own_and_keep_the_proportion_of_neighbours() -> None:
    policy = replace_weights(DIALOGUE, (0.1, 0.2, 0.8, 0.3, 0.4, 0.5))
    assert policy.name == TUNED_POLICY_NAME
    assert policy.neighbours == pytest.approx((0.8, 0.2))
    assert read_weights(policy) == pytest.approx((0.1, 0.2, 0.8, 0.3, 0.4, 0.5))
    assert policy.full_length == DIALOGUE.full_length


def test_ranks_are_counted_by_hand() -> None:
    trace = RecallOutcome("r", {"a": (1.0, *NOTHING[1:]), "b": (0.5, *NOTHING[1:])}, frozenset("b"))
    assert reciprocal_rank(trace, read_weights(DIALOGUE)) == 0.5
    assert reciprocal_rank(trace, NOTHING) == 0.5  # equals go by id
    assert not trace._replace(used=frozenset()).tells
    assert not trace._replace(used=frozenset("ab")).tells


@pytest.mark.parametrize("telling", [0, 3, 5])
def test_what_tells_gains_weight_and_wins_where_it_was_not_fitted(telling: int) -> None:
    tuning = fit_policy(traces(110, telling=telling), DIALOGUE)
    assert tuning.adopted
    assert tuning.after > tuning.before
    gained = [
        new / old
        for new, old in zip(read_weights(tuning.policy), read_weights(DIALOGUE), strict=True)
    ]
    assert max(gained) == gained[telling]


def test_what_tells_nothing_changes_nothing() -> None:
    tuning = fit_policy(traces(110, telling=None), DIALOGUE)
    assert not tuning.adopted
    assert tuning.policy == DIALOGUE


def test_a_few_recalls_are_not_enough() -> None:
    tuning = fit_policy(traces(FEWEST_RECALLS - 1, telling=0), DIALOGUE)
    assert (tuning.adopted, tuning.recalls) == (False, FEWEST_RECALLS - 1)
    assert str(FEWEST_RECALLS) in tuning.why
    assert not fit_policy([], DIALOGUE).adopted


@given(st.integers(0, 1_000))
def test_no_weight_falls_below_nothing_and_order_does_not_matter(seed: int) -> None:
    made = traces(3, telling=None, seed=seed)
    weights = fit_weights(made, read_weights(DIALOGUE))
    assert all(weight >= 0 for weight in weights)
    assert fit_weights([], read_weights(DIALOGUE)) == read_weights(DIALOGUE)
