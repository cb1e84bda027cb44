"""Decide whether a memory is forgotten: by its expiry, its lifetime, then the policy."""

from palimpsest.model.memory import Status
from palimpsest_server.domain.forgetting.forgetting_rule import (
    KEPT,
    ForgettingDecision,
    ForgettingRule,
    ForgettingVerdict,
)
from palimpsest_server.domain.forgetting.lifetimes import (
    has_expired,
    has_future_time,
    is_subject_to_policy,
    is_temporary_over,
)
from palimpsest_server.domain.forgetting.retention_state import RetentionState

EXPIRED = "expired"
TEMPORARY_IS_OVER = "temporary, and not used for 7 days"


def decide_forgetting(
    standing: RetentionState, policy: ForgettingRule, *, tied_to_todo: bool = False
) -> ForgettingDecision:
    """Return what happens to a memory now. Only active memories change.

    An expiry applies to every memory. Otherwise pinned memories, memories of an open todo and
    memories of a future time are left alone.
    """
    if standing.memory.status is not Status.ACTIVE:
        return KEPT
    if has_expired(standing):
        return ForgettingDecision(ForgettingVerdict.FORGOTTEN, EXPIRED)
    if standing.memory.pinned or tied_to_todo or has_future_time(standing):
        return KEPT
    if is_temporary_over(standing):
        return ForgettingDecision(ForgettingVerdict.FORGOTTEN, TEMPORARY_IS_OVER)
    return policy.judge(standing) if is_subject_to_policy(standing) else KEPT
