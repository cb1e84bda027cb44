from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.memory import Status
from palimpsest.model.user import ForgettingPolicy
from palimpsest_server.domain.forgetting.decision import (
    EXPIRED,
    TEMPORARY_IS_OVER,
    decide_forgetting,
)
from palimpsest_server.domain.forgetting.forgetting_rule import ForgettingVerdict
from palimpsest_server.domain.forgetting.policies.registry import POLICIES
from tests.support.server.domain.forgetting.standings import NOW, days_ago, standing

GATED = POLICIES[ForgettingPolicy.GATED]
CORE, WORKING, TEMPORARY = Lifetime.CORE, Lifetime.WORKING, Lifetime.TEMPORARY


@pytest.mark.parametrize(
    ("lifetime", "idle", "importance", "forgotten"),
    [
        (CORE, 3000, 0.5, False),
        (CORE, 300, 0.49, True),
        (CORE, 29, 0.1, False),
        (WORKING, 29.9, 0.1, False),
        (WORKING, 30, 0.1, True),
        (WORKING, 30, 0.6, False),
        (WORKING, 300, 0.6, True),
        (TEMPORARY, 7, 1.0, False),
        (TEMPORARY, 7.1, 1.0, True),
    ],
)
def test_lifetimes(lifetime: Lifetime, idle: float, importance: float, *, forgotten: bool) -> None:
    case = standing(idle=idle, importance=importance, lifetime=lifetime)
    verdict = decide_forgetting(case, GATED).verdict
    assert verdict is (ForgettingVerdict.FORGOTTEN if forgotten else ForgettingVerdict.KEPT)


def test_a_temporary_memory_ends_whatever_the_policy_says() -> None:
    for policy in POLICIES.values():
        case = standing(idle=8, count=100, importance=1.0, age=9, lifetime=TEMPORARY)
        assert decide_forgetting(case, policy).reason == TEMPORARY_IS_OVER


@pytest.mark.parametrize("lifetime", Lifetime)
@pytest.mark.parametrize("pinned", [False, True])
def test_an_expiry_holds_for_every_memory(lifetime: Lifetime, *, pinned: bool) -> None:
    case = standing(idle=0, importance=1.0, lifetime=lifetime, pinned=pinned, expires_at=NOW)
    assert decide_forgetting(case, GATED).reason == EXPIRED


@pytest.mark.parametrize(
    "protection",
    [
        {"pinned": True},
        {"occurred_at": NOW + timedelta(days=1)},
        {"valid_from": NOW + timedelta(days=1)},
        {"valid_until": NOW + timedelta(days=1)},
        {"expires_at": NOW + timedelta(days=1)},
        {"status": Status.SUPERSEDED},
        {"status": Status.PENDING},
    ],
    ids=str,
)
def test_what_nothing_may_take(protection: dict[str, Any]) -> None:
    for lifetime in (WORKING, TEMPORARY):
        case = standing(idle=500, importance=0.1, lifetime=lifetime, **protection)
        for policy in POLICIES.values():
            assert decide_forgetting(case, policy).verdict is ForgettingVerdict.KEPT


def test_a_time_that_has_come_protects_no_longer() -> None:
    case = standing(idle=500, importance=0.1, valid_until=days_ago(1))
    assert decide_forgetting(case, GATED).verdict is ForgettingVerdict.FORGOTTEN


def test_what_is_tied_to_an_open_todo_waits() -> None:
    case = standing(idle=500, importance=0.1)
    assert decide_forgetting(case, GATED, tied_to_todo=True).verdict is ForgettingVerdict.KEPT
    assert decide_forgetting(case, GATED).verdict is ForgettingVerdict.FORGOTTEN


@given(
    st.sampled_from(list(ForgettingPolicy)),
    st.floats(0, 3000),
    st.integers(0, 50),
    st.floats(0.5, 1),
)
def test_no_policy_forgets_a_core_memory_that_matters(
    name: ForgettingPolicy, idle: float, count: int, importance: float
) -> None:
    case = standing(idle=idle, count=count, importance=importance, lifetime=CORE)
    assert decide_forgetting(case, POLICIES[name]).verdict is ForgettingVerdict.KEPT
