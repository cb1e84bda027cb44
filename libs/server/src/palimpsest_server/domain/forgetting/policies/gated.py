"""The `gated` policy, the default: relevance that decays with disuse and grows with use.

    relevance = exp(-0.01 x days of disuse) x (1 + ln(1 + accesses)) x importance

Below .1 a memory is forgotten. Below .3 its importance falls to nine tenths, once each time the
relevance falls there. Above .7 the memory counts as active, and is not compressed.
"""

import math

from palimpsest_server.domain.forgetting.forgetting_rule import (
    KEPT,
    ForgettingDecision,
    ForgettingVerdict,
)
from palimpsest_server.domain.forgetting.retention_state import RetentionState

DECAY_PER_DAY = 0.01
FORGOTTEN_BELOW = 0.1
FADES_BELOW = 0.3
ACTIVE_ABOVE = 0.7
FADES_TO = 0.9


class GatedForgetting:
    def judge(self, standing: RetentionState) -> ForgettingDecision:
        now = compute_relevance(standing)
        if now < FORGOTTEN_BELOW:
            return ForgettingDecision(
                ForgettingVerdict.FORGOTTEN, f"its relevance fell below {FORGOTTEN_BELOW:g}"
            )
        if now < FADES_BELOW and not _has_faded(standing):
            return ForgettingDecision(
                ForgettingVerdict.FADED,
                f"its relevance fell below {FADES_BELOW:g}",
                importance=round(standing.importance * FADES_TO, 6),
            )
        return KEPT

    def may_compress(self, standing: RetentionState) -> bool:
        return compute_relevance(standing) <= ACTIVE_ABOVE


def compute_relevance(standing: RetentionState) -> float:
    """Return the relevance, from 0; 1 is a memory of full importance on the day it was recorded."""
    return math.exp(-DECAY_PER_DAY * standing.idle_days) * _relevance_in_use(standing)


def _relevance_in_use(standing: RetentionState) -> float:
    return (1 + math.log(1 + standing.count)) * standing.importance


def _has_faded(standing: RetentionState) -> bool:
    """Return whether the importance already fell for this fall below the threshold.

    Only a recall raises relevance, and at once to its new maximum. So the relevance at the last recall
    shows whether it was above the threshold since.
    """
    faded_at = standing.memory.faded_at
    if faded_at is None:
        return False
    came_back = standing.last_used_at > faded_at and _relevance_in_use(standing) >= FADES_BELOW
    return not came_back
