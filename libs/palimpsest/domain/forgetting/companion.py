"""`companion`: what was not recalled for 90 days goes, unless it mattered.

Source: 003 section 7, `cleanup_old_memories`: last accessed more than 90 days
ago, importance below 5 of 10.
"""

from palimpsest.domain.forgetting.policy import KEPT, Judgement, Verdict
from palimpsest.domain.forgetting.standing import Standing

IDLE_DAYS = 90
IMPORTANCE_BELOW = 5 / 10


class Companion:
    def judge(self, standing: Standing) -> Judgement:
        if standing.idle_days > IDLE_DAYS and standing.importance < IMPORTANCE_BELOW:
            return Judgement(
                Verdict.FORGOTTEN, "not recalled for 90 days, and of little importance"
            )
        return KEPT

    def may_compress(self, standing: Standing) -> bool:  # noqa: ARG002 - the rule knows no exception
        return True
