"""The day by which time alone changes a memory; until then it need not be inspected for that."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from palimpsest_server.domain.forgetting.decision import decide_forgetting
from palimpsest_server.domain.forgetting.forgetting_rule import KEPT, ForgettingRule
from palimpsest_server.domain.forgetting.retention_state import RetentionState


def find_due_day(
    standing: RetentionState, policy: ForgettingRule, *, tied_to_todo: bool = False, days: int
) -> date | None:
    """The first day of UTC by whose end it is not kept any more; None: none of the next `days`.

    Today is not among them. Where it is recalled meanwhile it is kept for
    longer, never for less long: judge it again on that day.
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
