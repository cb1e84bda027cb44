"""So many restarts within a time, and as many again once that time is over."""

from palimpsest_server.embedded.restart_budget import RestartBudget


def test_a_budget_is_spent_and_comes_back() -> None:
    seconds = 0.0
    budget = RestartBudget(2, within_seconds=60.0, now=lambda: seconds)
    assert [budget.spend() for _ in range(3)] == [True, True, False]
    seconds = 61.0
    assert [budget.spend() for _ in range(3)] == [True, True, False]
