"""What is measured of a quiet user beside a heavy one, and when it is good enough."""

from typing import Any

import pytest

from palimpsest_lab.speed.fairness import (
    FairnessMeasurement,
    check_fairness_target,
    repeat_clauses,
)


def found(longest: float, beside: int) -> dict[str, Any]:
    return {"understood_seconds": {"p50": 0.1, "p100": longest}, "beside": beside}


@pytest.mark.parametrize(
    ("figures", "holds"),
    [
        (found(5.0, 8), True),
        (found(5.1, 8), False),
        (found(0.2, 0), False),
        (FairnessMeasurement().figures(), False),
    ],
)
def test_every_quiet_user_is_understood_in_time_beside_a_heavy_one(
    figures: dict[str, Any], holds: bool
) -> None:
    assert check_fairness_target(figures) is holds


def test_the_heavy_texts_are_the_same_each_time_and_differ_by_message() -> None:
    text = repeat_clauses(2_000, seed=1)
    assert len(text) >= 1_900
    assert text == repeat_clauses(2_000, seed=1) != repeat_clauses(2_000, seed=2)
