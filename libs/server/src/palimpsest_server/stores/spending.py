"""The cost of model calls by day and user, against which budgets are checked."""

from collections import defaultdict
from datetime import date
from typing import Protocol

from palimpsest.model.identifiers import derive_id
from palimpsest_server.domain.budgets import Budget, ModelSpend
from palimpsest_server.stores.collections import MODEL_SPENDING
from palimpsest_server.stores.mongo.database import Document, MongoDatabase


class SpendingStore(Protocol):
    """Count spending by day and user; user None is the total of all users."""

    async def add_within(
        self, day: date, user_id: str | None, amount: ModelSpend, budget: Budget
    ) -> bool:
        """Add an amount, unless the budget is spent already; return whether it was added."""
        ...

    async def add(self, day: date, user_id: str | None, amount: ModelSpend) -> None:
        """Add an amount, whatever the budget."""
        ...

    async def of(self, day: date, user_id: str | None) -> ModelSpend: ...


class InMemorySpending:
    """The twin for tests."""

    def __init__(self) -> None:
        self._spent: defaultdict[tuple[date, str | None], ModelSpend] = defaultdict(ModelSpend)

    async def add_within(
        self, day: date, user_id: str | None, amount: ModelSpend, budget: Budget
    ) -> bool:
        if budget.is_spent(await self.of(day, user_id)):
            return False
        await self.add(day, user_id, amount)
        return True

    async def add(self, day: date, user_id: str | None, amount: ModelSpend) -> None:
        self._spent[day, user_id] = self._spent[day, user_id] - (ModelSpend() - amount)

    async def of(self, day: date, user_id: str | None) -> ModelSpend:
        return self._spent[day, user_id]


class MongoSpending:
    """Keep one counter for each day and user, and one for each day."""

    def __init__(self, database: MongoDatabase) -> None:
        self._spending = database.collection(MODEL_SPENDING)

    async def add_within(
        self, day: date, user_id: str | None, amount: ModelSpend, budget: Budget
    ) -> bool:
        left: Document = {"_id": _id(day, user_id)}
        if budget.tokens is not None:
            left["tokens"] = {"$lt": budget.tokens}
        if budget.millionths is not None:
            left["millionths"] = {"$lt": budget.millionths}
        counted = await self._spending.update_one(left, _increase(amount))
        if counted.matched_count:
            return True
        # The budget is spent, or no counter of this day exists yet.
        nothing = {**_account(day, user_id), "tokens": 0, "millionths": 0}
        await self._spending.update_one(
            {"_id": _id(day, user_id)}, {"$setOnInsert": nothing}, upsert=True
        )
        return bool((await self._spending.update_one(left, _increase(amount))).matched_count)

    async def add(self, day: date, user_id: str | None, amount: ModelSpend) -> None:
        await self._spending.update_one(
            {"_id": _id(day, user_id)},
            {**_increase(amount), "$setOnInsert": _account(day, user_id)},
            upsert=True,
        )

    async def of(self, day: date, user_id: str | None) -> ModelSpend:
        found = await self._spending.find_one({"_id": _id(day, user_id)})
        return (
            ModelSpend(tokens=found["tokens"], millionths=found["millionths"])
            if found
            else ModelSpend()
        )


def _id(day: date, user_id: str | None) -> str:
    return derive_id("spending", day.isoformat(), user_id)


def _account(day: date, user_id: str | None) -> Document:
    return {"day": day.isoformat(), "user_id": user_id}


def _increase(amount: ModelSpend) -> Document:
    return {"$inc": {"tokens": amount.tokens, "millionths": amount.millionths}}
