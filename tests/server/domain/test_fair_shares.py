"""Whose turn it is, by the processor time that turns took."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.domain.fair_shares import FairShares


def serve(turns: int, costs: dict[str, float], shares: FairShares | None = None) -> list[str]:
    """Serve users who always wait, each turn at the user's cost."""
    shares = shares or FairShares()
    served = []
    for _ in range(turns):
        user = shares.choose(costs)
        shares.charge(user, costs[user])
        served.append(user)
    return served


@pytest.mark.parametrize(
    ("costs", "turns", "served"),
    [
        ({"ana": 1.0}, 3, "ana ana ana"),
        ({"ana": 1.0, "bo": 1.0}, 4, "ana bo ana bo"),
        ({"heavy": 3.0, "light": 1.0}, 8, "heavy light light light heavy light light light"),
        ({"free": 0.0, "paid": 1.0}, 3, "free free free"),
    ],
)
def test_users_who_always_wait_get_equal_time(
    costs: dict[str, float], turns: int, served: str
) -> None:
    assert " ".join(serve(turns, costs)) == served


def test_whoever_comes_anew_is_next_whatever_others_have_brought() -> None:
    shares = FairShares()
    serve(100, {"heavy": 1.0}, shares)
    assert shares.choose(["heavy", "quiet"]) == "quiet"


def test_nobody_saves_up_time_by_staying_away() -> None:
    shares = FairShares()
    serve(1, {"away": 0.5}, shares)
    serve(50, {"ana": 1.0}, shares)
    assert serve(6, {"ana": 1.0, "away": 1.0}, shares).count("away") <= 4


def test_whoever_used_much_waits_though_nothing_of_theirs_waits_in_between() -> None:
    shares = FairShares()
    for user, cost in (("heavy", 5.0), ("ana", 0.1), ("bo", 0.1)):
        shares.choose([user])
        shares.charge(user, cost)
    assert shares.choose(["heavy", "ana", "bo"]) == "ana"


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0.01, 5.0), min_size=2),
    st.integers(20, 200),
)
def test_no_two_waiting_users_are_further_apart_than_two_turns(
    costs: dict[str, float], turns: int
) -> None:
    used: Counter[str] = Counter()
    for user in serve(turns, costs):
        used[user] += costs[user]  # type: ignore[assignment]
    longest = max(costs.values())
    assert max(used.values()) - min(used[user] for user in costs) <= 2 * longest + 1e-6


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0.0, 3.0)), max_size=60))
def test_the_order_never_goes_back(turns: list[tuple[str, float]]) -> None:
    shares = FairShares()
    before = 0.0
    for user, cost in turns:
        chosen = shares.choose([user, "other"])
        assert shares.position(chosen) >= before
        before = shares.position(chosen)
        shares.charge(chosen, cost)
