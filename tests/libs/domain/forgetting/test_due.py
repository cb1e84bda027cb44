"""Until the day on which it is due, time alone makes nothing of a memory."""

from datetime import UTC, date, datetime, time, timedelta

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.forgetting.due import due_on
from palimpsest.domain.forgetting.judging import judged
from palimpsest.domain.forgetting.policies import POLICIES
from palimpsest.domain.forgetting.policy import KEPT
from palimpsest.domain.forgetting.standing import Standing
from palimpsest.domain.kinds import Lifetime
from palimpsest.domain.user import ForgettingPolicy
from tests.libs.domain.forgetting.standings import NOW, days_ago, standing

DAYS = 8
GATED = POLICIES[ForgettingPolicy.GATED]

policies = st.sampled_from(list(ForgettingPolicy))
moments = st.none() | st.floats(-40, 40).map(days_ago)


def test_a_temporary_memory_is_due_on_its_eighth_day_of_disuse() -> None:
    used, new = (standing(idle=idle, lifetime=Lifetime.TEMPORARY) for idle in (5, 0))
    assert due_on(used, GATED, days=DAYS) == date(2026, 9, 2)
    assert due_on(new, GATED, days=DAYS) == date(2026, 9, 7)
    assert due_on(new, GATED, days=6) is None


def test_an_end_holds_while_a_todo_is_open_and_nothing_else_does() -> None:
    ends = standing(idle=400, importance=0.01, expires_at=NOW + timedelta(days=3))
    assert due_on(ends, GATED, tied_to_todo=True, days=DAYS) == date(2026, 9, 3)
    going = standing(idle=400, importance=0.01)
    assert due_on(going, GATED, tied_to_todo=True, days=DAYS) is None
    assert due_on(going, GATED, days=DAYS) == date(2026, 9, 1)


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
    due = due_on(case, policy, days=DAYS)
    ends = {
        day: datetime.combine(day + timedelta(days=1), time(), UTC)
        for day in (NOW.date() + timedelta(days=number) for number in range(1, DAYS + 1))
    }
    gone = [
        day
        for day, end in ends.items()
        if judged(Standing(case.memory, case.accesses, end), policy) != KEPT
    ]
    assert due == (gone[0] if gone else None)
    at = NOW + timedelta(days=later)
    if judged(case, policy) == KEPT and (due is None or at.date() < due):
        assert judged(Standing(case.memory, case.accesses, at), policy) == KEPT
