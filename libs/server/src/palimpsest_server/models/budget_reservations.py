"""Budgets: tokens and money per day, for each user and for all users together.

The estimated use is counted before a call and corrected after it. If the process dies in between, the
estimate stays counted, because the call may have been charged. Days are UTC.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol

from palimpsest_server.domain.budgets import Budget, ModelSpend
from palimpsest_server.models.model_errors import BudgetExhausted, BudgetOwner

LOOKING_AGAIN = timedelta(minutes=15)
"""Longest wait of a request whose budget is spent, because the budget may be raised meanwhile."""


class BudgetCounter(Protocol):
    """Count spending by day and user; user None is the total of all users."""

    async def add_within(
        self, day: date, user_id: str | None, amount: ModelSpend, budget: Budget
    ) -> bool:
        """Add an amount, unless the budget is spent already; return whether it was added."""
        ...

    async def add(self, day: date, user_id: str | None, amount: ModelSpend) -> None:
        """Add an amount, which may be negative, whatever the budget."""
        ...


@dataclass(frozen=True)
class BudgetReservation:
    day: date
    user_id: str
    amount: ModelSpend


class BudgetLimiter:
    def __init__(self, spending: BudgetCounter, *, each_user: Budget, deployment: Budget) -> None:
        self._spending = spending
        self._each_user = each_user
        self._deployment = deployment

    async def reserve(
        self, user_id: str, amount: ModelSpend, *, now: datetime
    ) -> BudgetReservation:
        """Count the estimated use of a call.

        Raises:
            BudgetExhausted: today's budget of the user, or of all users together, is spent.
        """
        day = now.astimezone(UTC).date()
        if not await self._spending.add_within(day, user_id, amount, self._each_user):
            raise _spent(BudgetOwner.USER, now)
        if not await self._spending.add_within(day, None, amount, self._deployment):
            await self._spending.add(day, user_id, ModelSpend() - amount)
            raise _spent(BudgetOwner.DEPLOYMENT, now)
        return BudgetReservation(day, user_id, amount)

    async def settle(self, reserved: BudgetReservation, actual: ModelSpend) -> None:
        """Replace the reserved amount by the amount really used."""
        difference = actual - reserved.amount
        for user_id in (reserved.user_id, None):
            await self._spending.add(reserved.day, user_id, difference)


def _spent(of: BudgetOwner, now: datetime) -> BudgetExhausted:
    day = now.astimezone(UTC).date()
    tomorrow = datetime.combine(day + timedelta(days=1), time(), tzinfo=UTC)
    return BudgetExhausted(
        of, retry_after_seconds=min(tomorrow - now, LOOKING_AGAIN).total_seconds()
    )
