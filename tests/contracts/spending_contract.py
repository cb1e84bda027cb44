"""The promises of every store of spending."""

import asyncio
from datetime import date

import pytest

from palimpsest_server.domain.budgets import Budget, ModelSpend
from palimpsest_server.stores.spending import SpendingStore

TODAY, TOMORROW = date(2026, 3, 2), date(2026, 3, 3)
NO_LIMIT = Budget()


class SpendingContract:
    async def test_what_is_added_is_counted_by_day_and_user(self, spending: SpendingStore) -> None:
        for user_id in ("ana", None):
            await spending.add(TODAY, user_id, ModelSpend(tokens=10, millionths=7))
            assert await spending.add_within(
                TODAY, user_id, ModelSpend(tokens=5, millionths=1), NO_LIMIT
            )
        await spending.add(TODAY, "ana", ModelSpend(tokens=-3))
        assert await spending.of(TODAY, "ana") == ModelSpend(tokens=12, millionths=8)
        assert await spending.of(TODAY, None) == ModelSpend(tokens=15, millionths=8)
        assert await spending.of(TODAY, "ben") == ModelSpend()
        assert await spending.of(TOMORROW, "ana") == ModelSpend()

    @pytest.mark.parametrize("budget", [Budget(tokens=100), Budget(millionths=100)])
    async def test_what_is_spent_stays_spent_until_something_comes_back(
        self, spending: SpendingStore, budget: Budget
    ) -> None:
        amount = ModelSpend(tokens=60, millionths=60)
        counted = [await spending.add_within(TODAY, "ana", amount, budget) for _ in range(3)]
        assert counted == [True, True, False]
        assert await spending.of(TODAY, "ana") == ModelSpend(tokens=120, millionths=120)
        assert await spending.add_within(TODAY, "ben", amount, budget)
        assert await spending.add_within(TOMORROW, "ana", amount, budget)
        await spending.add(TODAY, "ana", ModelSpend(tokens=-60, millionths=-60))
        assert await spending.add_within(TODAY, "ana", amount, budget)

    async def test_a_budget_of_nothing_lets_nothing_through(self, spending: SpendingStore) -> None:
        assert not await spending.add_within(TODAY, "ana", ModelSpend(tokens=1), Budget(tokens=0))
        assert await spending.of(TODAY, "ana") == ModelSpend()

    async def test_the_first_calls_of_a_day_all_count(self, spending: SpendingStore) -> None:
        counted = await asyncio.gather(
            *(spending.add_within(TODAY, "ana", ModelSpend(tokens=1), NO_LIMIT) for _ in range(50))
        )
        assert all(counted)
        assert await spending.of(TODAY, "ana") == ModelSpend(tokens=50)

    async def test_calls_at_once_never_count_past_the_budget(self, spending: SpendingStore) -> None:
        counted = await asyncio.gather(
            *(
                spending.add_within(TODAY, None, ModelSpend(tokens=10), Budget(tokens=50))
                for _ in range(20)
            )
        )
        assert counted.count(True) == 5
        assert await spending.of(TODAY, None) == ModelSpend(tokens=50)
