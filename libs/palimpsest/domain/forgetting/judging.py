"""What becomes of a memory: its own end, its lifetime, then the policy, in this order."""

from palimpsest.domain.forgetting.lifetimes import (
    has_expired,
    is_over,
    may_be_taken,
    waits_for_a_time,
)
from palimpsest.domain.forgetting.policy import KEPT, Forgetting, Judgement, Verdict
from palimpsest.domain.forgetting.standing import Standing
from palimpsest.domain.memory import Status

EXPIRED = "expired"
TEMPORARY_IS_OVER = "temporary, and not used for 7 days"


def judged(standing: Standing, policy: Forgetting, *, tied_to_todo: bool = False) -> Judgement:
    """What is to become of it now. Only active memories are ever taken.

    An expiry holds for every memory. Pinned ones, those tied to an open todo
    and those that speak of a time to come are otherwise left alone.
    """
    if standing.memory.status is not Status.ACTIVE:
        return KEPT
    if has_expired(standing):
        return Judgement(Verdict.FORGOTTEN, EXPIRED)
    if standing.memory.pinned or tied_to_todo or waits_for_a_time(standing):
        return KEPT
    if is_over(standing):
        return Judgement(Verdict.FORGOTTEN, TEMPORARY_IS_OVER)
    return policy.judge(standing) if may_be_taken(standing) else KEPT
