"""The day on which time alone changes a memory; the memory need not be checked before."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from palimpsest_server.domain.forgetting.decision import decide_forgetting
from palimpsest_server.domain.forgetting.forgetting_rule import KEPT, ForgettingRule
from palimpsest_server.domain.forgetting.retention_state import RetentionState


def find_due_day(
    standing: RetentionState, policy: ForgettingRule, *, tied_to_todo: bool = False, days: int
) -> date | None:
    """Return the first UTC day by whose end the memory is not kept; None if none of the next `days`.

    Today is left out. A recall meanwhile prolongs the time and never shortens it, so the memory has to be
    judged again on that day.
    """
    today = standing.now.astimezone(UTC).date()

    def kept_through(day: date) -> bool:
        end = datetime.combine(day + timedelta(days=1), time(), UTC)
        then = RetentionState(standing.memory, standing.accesses, end)
        return decide_forgetting(then, policy, tied_to_todo=tied_to_todo) == KEPT

    if kept_through(today + timedelta(days=days)):
        return None
    return next(day for day in _coming(today, days) if not kept_through(day))


def _coming(today: date, days: int) -> Iterator[date]:
    return (today + timedelta(days=number) for number in range(1, days + 1))
