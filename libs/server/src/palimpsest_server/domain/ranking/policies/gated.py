"""`gated` policy: the three most relevant memories, with a relevance of at least .7."""

from datetime import datetime

from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.policies.memory_policy import (
    PolicyCandidate,
    PolicyChoice,
    PolicyExclusion,
    PolicyScore,
    PolicySearch,
    choose_best,
)

LEAST_RELEVANCE = 0.7
LOOKED_AT_FOR_EACH = 4


class GatedPolicy:
    """score = calibrated relevance, at least .7; of equals the newer, then the more confident."""

    limit = limit_of(PolicyName.GATED)
    needs_accesses = False

    def searches(self, scopes: tuple[Scope, ...], limit: int) -> tuple[PolicySearch, ...]:
        return (PolicySearch(scopes, LOOKED_AT_FOR_EACH * limit),)

    def choose(self, finds: list[PolicyCandidate], *, limit: int, now: datetime) -> PolicyChoice:  # noqa: ARG002 - theirs is one interface
        ranked = sorted(
            finds,
            key=lambda find: (
                -find.relevance,
                -find.recorded_at.timestamp(),
                -find.confidence,
                find.id,
            ),
        )
        relevant = [find for find in ranked if find.relevance >= LEAST_RELEVANCE]
        choice = choose_best(
            [PolicyScore(find.id, find.relevance, find.relevance) for find in relevant], limit
        )
        below = tuple(
            PolicyExclusion(find.id, find.relevance, "below_relevance")
            for find in ranked
            if find.relevance < LEAST_RELEVANCE
        )
        return choice._replace(excluded=choice.excluded + below)
