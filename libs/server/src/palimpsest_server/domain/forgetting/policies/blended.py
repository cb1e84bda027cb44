"""The `blended` policy: hardly used memories are compressed, or forgotten if no group can take them.

Hardly used means more than 90 days without access and fewer than 5 accesses. Groups of three or more are
compressed by `domain.compression`; this policy decides on the others.
"""

from palimpsest_server.domain.forgetting.forgetting_rule import (
    KEPT,
    ForgettingDecision,
    ForgettingVerdict,
)
from palimpsest_server.domain.forgetting.retention_state import RetentionState

IDLE_DAYS = 90
ACCESSES_BELOW = 5


class BlendedForgetting:
    def judge(self, standing: RetentionState) -> ForgettingDecision:
        if standing.idle_days > IDLE_DAYS and standing.count < ACCESSES_BELOW:
            return ForgettingDecision(
                ForgettingVerdict.FORGOTTEN, "not recalled for 90 days, and seldom before"
            )
        return KEPT

    def may_compress(self, standing: RetentionState) -> bool:  # noqa: ARG002 - the rule knows no exception
        return True
