"""The `companion` policy: forget memories unused for 90 days, unless they are important.

Such memories were last accessed more than 90 days ago and have an importance below 5 of 10.
"""

from palimpsest_server.domain.forgetting.forgetting_rule import (
    KEPT,
    ForgettingDecision,
    ForgettingVerdict,
)
from palimpsest_server.domain.forgetting.retention_state import RetentionState

IDLE_DAYS = 90
IMPORTANCE_BELOW = 5 / 10


class CompanionForgetting:
    def judge(self, standing: RetentionState) -> ForgettingDecision:
        if standing.idle_days > IDLE_DAYS and standing.importance < IMPORTANCE_BELOW:
            return ForgettingDecision(
                ForgettingVerdict.FORGOTTEN, "not recalled for 90 days, and of little importance"
            )
        return KEPT

    def may_compress(self, standing: RetentionState) -> bool:  # noqa: ARG002 - the rule knows no exception
        return True
