"""Each policy against cases worked out by hand from the document it comes from."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from palimpsest.model.user import ForgettingPolicy
from palimpsest_server.domain.forgetting.forgetting_rule import ForgettingVerdict
from palimpsest_server.domain.forgetting.policies.gated import compute_relevance
from palimpsest_server.domain.forgetting.policies.layered import subtract_months
from palimpsest_server.domain.forgetting.policies.registry import POLICIES
from palimpsest_server.domain.forgetting.retention_state import RetentionState
from tests.support.server.domain.forgetting.standings import NOW, days_ago, standing

LAYERED = POLICIES[ForgettingPolicy.LAYERED]
GATED = POLICIES[ForgettingPolicy.GATED]
COMPANION = POLICIES[ForgettingPolicy.COMPANION]
BLENDED = POLICIES[ForgettingPolicy.BLENDED]

# NOW is 31 August 2026: six months before is 28 February, 184 days ago.


def test_every_policy_of_the_settings_is_there() -> None:
    assert set(POLICIES) == set(ForgettingPolicy)


@pytest.mark.parametrize(
    ("age", "importance", "count", "forgotten"),
    [
        (185, 2 / 5, 2, True),
        (185, 1 / 5, 0, True),
        (185, 3 / 5, 0, False),
        (185, 2 / 5, 3, False),
        (184, 2 / 5, 0, False),
        (30, 1 / 5, 0, False),
        (4000, 2 / 5, 2, True),
    ],
)
def test_layered_forgets_after_six_months_what_mattered_at_most_2_of_5_and_was_asked_for_twice(
    age: float, importance: float, count: int, *, forgotten: bool
) -> None:
    verdict = LAYERED.judge(standing(idle=1, age=age, importance=importance, count=count)).verdict
    assert verdict is (ForgettingVerdict.FORGOTTEN if forgotten else ForgettingVerdict.KEPT)


@pytest.mark.parametrize(
    ("moment", "before"),
    [
        ((2026, 8, 31), (2026, 2, 28)),
        ((2024, 8, 31), (2024, 2, 29)),
        ((2026, 3, 15), (2025, 9, 15)),
        ((2026, 7, 1), (2026, 1, 1)),
        ((2026, 6, 30), (2025, 12, 30)),
    ],
)
def test_half_a_year_is_six_months_of_the_calendar(
    moment: tuple[int, int, int], before: tuple[int, int, int]
) -> None:
    assert subtract_months(datetime(*moment, tzinfo=UTC), 6) == datetime(*before, tzinfo=UTC)


@pytest.mark.parametrize(
    ("idle", "count", "importance", "expected"),
    [
        (0, 0, 1.0, 1.0),
        (0, 0, 0.5, 0.5),
        (100, 0, 1.0, 0.367879),  # 1 / e
        (30, 0, 0.6, 0.444491),  # .740818 x .6
        (30, 3, 0.6, 1.060686),  # .740818 x (1 + ln 4 = 2.386294) x .6
        (180, 0, 0.6, 0.099179),  # .165299 x .6
        (180, 1, 0.6, 0.167925),  # .165299 x 1.693147 x .6
    ],
)
def test_relevance_by_hand(idle: float, count: int, importance: float, expected: float) -> None:
    found = compute_relevance(standing(idle=idle, count=count, importance=importance))
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("idle", "count", "importance", "verdict"),
    [
        (30, 0, 0.6, ForgettingVerdict.KEPT),  # .444
        (70, 0, 0.6, ForgettingVerdict.FADED),  # .298
        (69, 0, 0.6, ForgettingVerdict.KEPT),  # .301
        (180, 0, 0.6, ForgettingVerdict.FORGOTTEN),  # .0992
        (179, 0, 0.6, ForgettingVerdict.FADED),  # .1002
        (180, 1, 0.6, ForgettingVerdict.FADED),  # .168
        (230, 9, 0.3, ForgettingVerdict.FORGOTTEN),  # .10026 x 3.302585 x .3 = .0993
        (30, 0, 0.1, ForgettingVerdict.FORGOTTEN),  # .074
    ],
)
def test_gated_by_hand(
    idle: float, count: int, importance: float, verdict: ForgettingVerdict
) -> None:
    assert GATED.judge(standing(idle=idle, count=count, importance=importance)).verdict is verdict


def test_what_fades_keeps_nine_tenths_of_its_importance() -> None:
    assert GATED.judge(standing(idle=70, importance=0.6)).importance == pytest.approx(0.54)


@pytest.mark.parametrize(
    ("faded", "idle", "count", "verdict"),
    [
        (None, 80, 0, ForgettingVerdict.FADED),
        (5, 80, 0, ForgettingVerdict.KEPT),
        # Recalled since, which brought it above .3, and below it again.
        (200, 160, 3, ForgettingVerdict.FADED),
        (100, 160, 3, ForgettingVerdict.KEPT),
    ],
)
def test_it_fades_once_each_time_it_comes_below(
    faded: float | None, idle: float, count: int, verdict: ForgettingVerdict
) -> None:
    faded_at = None if faded is None else days_ago(faded)
    case = standing(idle=idle, count=count, importance=0.6, age=300, faded_at=faded_at)
    if count == 0:
        case = standing(idle=idle, importance=0.6, faded_at=faded_at)
    assert GATED.judge(case).verdict is verdict


def test_a_recall_that_does_not_bring_it_back_is_no_new_crossing() -> None:
    case = standing(idle=40, count=1, importance=0.15, age=300, faded_at=days_ago(60))
    assert compute_relevance(case) == pytest.approx(math.exp(-0.4) * (1 + math.log(2)) * 0.15)
    assert GATED.judge(case).verdict is ForgettingVerdict.KEPT


@pytest.mark.parametrize(
    ("idle", "count", "importance", "may"),
    [(0, 0, 0.7, True), (0, 0, 0.71, False), (10, 4, 0.5, False), (100, 4, 0.5, True)],
)
def test_what_is_active_is_not_compressed(
    idle: float, count: int, importance: float, *, may: bool
) -> None:
    case = standing(idle=idle, count=count, importance=importance)
    assert GATED.may_compress(case) is may


@pytest.mark.parametrize(
    ("idle", "importance", "forgotten"),
    [(91, 0.49, True), (90, 0.49, False), (91, 5 / 10, False), (1000, 0.9, False), (91, 0.1, True)],
)
def test_companion_forgets_after_90_days_what_mattered_less_than_5_of_10(
    idle: float, importance: float, *, forgotten: bool
) -> None:
    verdict = COMPANION.judge(standing(idle=idle, importance=importance, count=50)).verdict
    assert verdict is (ForgettingVerdict.FORGOTTEN if forgotten else ForgettingVerdict.KEPT)


@pytest.mark.parametrize(
    ("idle", "count", "forgotten"),
    [(91, 4, True), (91, 5, False), (90, 0, False), (91, 0, True)],
)
def test_blended_forgets_after_90_days_what_was_recalled_fewer_than_5_times(
    idle: float, count: int, *, forgotten: bool
) -> None:
    verdict = BLENDED.judge(standing(idle=idle, count=count, importance=1.0)).verdict
    assert verdict is (ForgettingVerdict.FORGOTTEN if forgotten else ForgettingVerdict.KEPT)


days = st.floats(0, 2000)
counts = st.integers(0, 200)
importances = st.floats(0, 1)


@given(days, days, counts, importances)
def test_relevance_never_rises_with_disuse(
    one: float, other: float, count: int, importance: float
) -> None:
    earlier, later = sorted((one, other))
    near, far = (
        compute_relevance(standing(idle=idle, count=count, importance=importance, age=2001))
        for idle in (earlier, later)
    )
    assert far <= near


@given(days, counts, counts, importances)
def test_relevance_never_falls_with_use(
    idle: float, one: int, other: int, importance: float
) -> None:
    assume(one != other)
    fewer, more = sorted((one, other))
    assert compute_relevance(
        standing(idle=idle, count=fewer, importance=importance, age=idle)
    ) <= compute_relevance(standing(idle=idle, count=more, importance=importance, age=idle))


@given(st.sampled_from(list(ForgettingPolicy)), days, days, counts, importances)
def test_what_is_forgotten_would_be_forgotten_later_too(
    name: ForgettingPolicy, idle: float, more: float, count: int, importance: float
) -> None:
    case = standing(idle=idle, count=count, importance=importance)
    later = RetentionState(case.memory, case.accesses, NOW + timedelta(days=more))
    if POLICIES[name].judge(case).verdict is ForgettingVerdict.FORGOTTEN:
        assert POLICIES[name].judge(later).verdict is ForgettingVerdict.FORGOTTEN


@given(days, counts, importances)
def test_fading_comes_to_rest_at_once(idle: float, count: int, importance: float) -> None:
    case = standing(idle=idle, count=count, importance=importance, age=2001)
    judgement = GATED.judge(case)
    if judgement.verdict is ForgettingVerdict.FADED:
        faded = case.memory.model_copy(update={"importance": judgement.importance, "faded_at": NOW})
        assert (
            GATED.judge(RetentionState(faded, case.accesses, NOW)).verdict
            is not ForgettingVerdict.FADED
        )
