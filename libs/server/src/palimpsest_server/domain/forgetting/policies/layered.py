"""The `layered` policy: forget unimportant and hardly used memories after half a year.

Such memories were created more than 6 months ago, with an importance of at most 2 of 5 and at most 2
accesses.
"""

from calendar import monthrange
from datetime import datetime

from palimpsest_server.domain.forgetting.forgetting_rule import (
    KEPT,
    ForgettingDecision,
    ForgettingVerdict,
)
from palimpsest_server.domain.forgetting.retention_state import RetentionState

MONTHS = 6
MOST_IMPORTANCE = 2 / 5
MOST_ACCESSES = 2


class LayeredForgetting:
    def judge(self, standing: RetentionState) -> ForgettingDecision:
        if (
            standing.memory.recorded_at < subtract_months(standing.now, MONTHS)
            and standing.importance <= MOST_IMPORTANCE
            and standing.count <= MOST_ACCESSES
        ):
            return ForgettingDecision(
                ForgettingVerdict.FORGOTTEN,
                "older than 6 months, of little importance, hardly asked for",
            )
        return KEPT

    def may_compress(self, standing: RetentionState) -> bool:  # noqa: ARG002 - the rule knows no exception
        return True


def subtract_months(moment: datetime, months: int) -> datetime:
    """Return the same day that many months earlier, or the last day of a shorter month."""
    years, month = divmod(moment.year * 12 + moment.month - 1 - months, 12)
    last = monthrange(years, month + 1)[1]
    return moment.replace(year=years, month=month + 1, day=min(moment.day, last))
