"""Until the day on which it is due, time alone makes nothing of a memory."""

from datetime import UTC, date, datetime, time, timedelta

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.user import ForgettingPolicy
from palimpsest_server.domain.forgetting.decision import decide_forgetting
from palimpsest_server.domain.forgetting.due_day import find_due_day
from palimpsest_server.domain.forgetting.forgetting_rule import KEPT
from palimpsest_server.domain.forgetting.policies.registry import POLICIES
from palimpsest_server.domain.forgetting.retention_state import RetentionState
from tests.support.server.domain.forgetting.standings import NOW, days_ago, standing

DAYS = 8
GATED = POLICIES[ForgettingPolicy.GATED]

policies = st.sampled_from(list(ForgettingPolicy))
moments = st.none() | st.floats(-40, 40).map(days_ago)


def test_a_temporary_memory_is_due_on_its_eighth_day_of_disuse() -> None:
    used, new = (standing(idle=idle, lifetime=Lifetime.TEMPORARY) for idle in (5, 0))
    assert find_due_day(used, GATED, days=DAYS) == date(2026, 9, 2)
    assert find_due_day(new, GATED, days=DAYS) == date(2026, 9, 7)
    assert find_due_day(new, GATED, days=6) is None


def test_an_end_holds_while_a_todo_is_open_and_nothing_else_does() -> None:
    ends = standing(idle=400, importance=0.01, expires_at=NOW + timedelta(days=3))
    assert find_due_day(ends, GATED, tied_to_todo=True, days=DAYS) == date(2026, 9, 3)
    going = standing(idle=400, importance=0.01)
    assert find_due_day(going, GATED, tied_to_todo=True, days=DAYS) is None
    assert find_due_day(going, GATED, days=DAYS) == date(2026, 9, 1)


@given(
    policies,
    st.floats(0, 400),
    st.integers(0, 6),
    st.floats(0, 1),
    st.sampled_from(list(Lifetime)),
    moments,
    moments,
    st.booleans(),
    st.floats(0, DAYS),
)
def test_before_that_day_it_is_kept_whenever_it_is_judged(  # noqa: PLR0917 - all that counts
    name: ForgettingPolicy,
    idle: float,
    count: int,
    importance: float,
    lifetime: Lifetime,
    expires_at: datetime | None,
    faded_at: datetime | None,
    pinned: bool,
    later: float,
) -> None:
    policy = POLICIES[name]
    case = standing(
        idle=idle,
        count=count,
        importance=importance,
        age=400,
        lifetime=lifetime,
        expires_at=expires_at,
        faded_at=faded_at,
        pinned=pinned,
    )
    due = find_due_day(case, policy, days=DAYS)
    ends = {
        day: datetime.combine(day + timedelta(days=1), time(), UTC)
        for day in (NOW.date() + timedelta(days=number) for number in range(1, DAYS + 1))
    }
    gone = [
        day
        for day, end in ends.items()
        if decide_forgetting(RetentionState(case.memory, case.accesses, end), policy) != KEPT
    ]
    assert due == (gone[0] if gone else None)
    at = NOW + timedelta(days=later)
    if decide_forgetting(case, policy) == KEPT and (due is None or at.date() < due):
        assert decide_forgetting(RetentionState(case.memory, case.accesses, at), policy) == KEPT
