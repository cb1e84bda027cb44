import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.memory import Accesses, Memory
from palimpsest.model.user import Tier
from palimpsest_server.domain.quotas import ACTIVE_MEMORY_LIMITS, has_quota_left, select_over_quota
from tests.support.server.domain.forgetting.standings import days_ago, memory


def test_the_tiers() -> None:
    assert ACTIVE_MEMORY_LIMITS == {
        Tier.SEED: 50,
        Tier.GROWTH: 200,
        Tier.SCALE: 500,
        Tier.ENTERPRISE: None,
    }


@pytest.mark.parametrize(
    ("current", "limit", "fits"),
    [(49, 50, True), (50, 50, False), (51, 50, False), (9_999, None, True)],
)
def test_one_more_fits_below_the_limit(current: int, limit: int | None, *, fits: bool) -> None:
    assert has_quota_left(current, limit) is fits


def _kept(name: str, importance: float = 0.5, age: float = 10, *, pinned: bool = False) -> Memory:
    return memory(name, importance=importance, recorded_at=days_ago(age), pinned=pinned)


@pytest.mark.parametrize(
    ("standing", "goes"),
    [
        ([_kept("a", 0.6), _kept("b", 0.5)], "b"),
        ([_kept("a"), _kept("b", age=11)], "b"),
        ([_kept("asked for", 0.5, 99), _kept("b", 0.5, 1)], "b"),
        ([_kept("a", 0.6), _kept("b", 0.1, pinned=True)], "a"),
        ([_kept("a", 0.6, pinned=True), _kept("b", 0.1, pinned=True)], "new"),
        ([_kept("a", 1.0), _kept("b", 1.0)], "a"),
    ],
)
def test_the_least_worth_goes_so_that_the_new_one_fits(standing: list[Memory], goes: str) -> None:
    new = _kept("new", 0.2, 0)
    accesses = {"asked for": Accesses(count=1)}
    (going,) = select_over_quota([*standing, new], {"new"}, accesses, limit=2)
    assert going.id == goes


def test_without_a_limit_nothing_goes() -> None:
    assert select_over_quota([_kept(str(n)) for n in range(600)], {"1"}, {}, limit=None) == []


drawn = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 5), st.floats(0, 100), st.booleans(), st.booleans()),
    max_size=30,
)


@given(drawn, st.integers(1, 20))
def test_the_quota_is_never_exceeded_and_never_under_filled(
    rows: list[tuple[float, int, float, bool, bool]], limit: int
) -> None:
    memories = [
        _kept(str(number), importance, age, pinned=pinned)
        for number, (importance, _, age, pinned, _) in enumerate(rows)
    ]
    accesses = {str(number): Accesses(count=row[1]) for number, row in enumerate(rows)}
    newcomers = {str(number) for number, row in enumerate(rows) if row[4]}
    going = {one.id for one in select_over_quota(memories, newcomers, accesses, limit=limit)}
    staying = [one for one in memories if one.id not in going]
    immovable = [one for one in memories if one.pinned and one.id not in newcomers]
    assert len(staying) == max(min(len(memories), limit), len(immovable))
    assert not going & {one.id for one in immovable}
