"""`blended` policy: similarity, last use and importance in one weighted sum."""

import math
from datetime import datetime

from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.policies.memory_policy import (
    DAY_SECONDS,
    PolicyCandidate,
    PolicyChoice,
    PolicyScore,
    PolicySearch,
    choose_best,
    exclude_candidates,
    sort_by_cosine,
)

SIMILARITY_WEIGHT = 0.6
RECENCY_WEIGHT = 0.2
IMPORTANCE_WEIGHT = 0.2
TIME_CONSTANT_DAYS = 30
"""exp(-d / 30): after 30 days 37 % is left, after 21 half. The source calls it a half-life."""

DAYS_IF_NEVER = 365
CANDIDATES_FOR_EACH = 2


class BlendedPolicy:
    """score = .6 cosine + .2 exp(-days / 30) + .2 importance, over twice as many as are returned.

    `days` are whole days since the last access, 365 without one. The source's comment has a product;
    its code has this sum, which counts.
    """

    limit = limit_of(PolicyName.BLENDED)
    needs_accesses = True

    def searches(self, scopes: tuple[Scope, ...], limit: int) -> tuple[PolicySearch, ...]:
        return (PolicySearch(scopes, CANDIDATES_FOR_EACH * limit),)

    def choose(self, finds: list[PolicyCandidate], *, limit: int, now: datetime) -> PolicyChoice:
        near, looked_at = sort_by_cosine(finds), CANDIDATES_FOR_EACH * limit
        choice = choose_best([_scored(find, now) for find in near[:looked_at]], limit)
        further = exclude_candidates(near[looked_at:], "beyond_candidates")
        return choice._replace(excluded=choice.excluded + further)


def _scored(find: PolicyCandidate, now: datetime) -> PolicyScore:
    similarity = SIMILARITY_WEIGHT * find.cosine
    recency = RECENCY_WEIGHT * math.exp(-days_since_access(find, now) / TIME_CONSTANT_DAYS)
    importance = IMPORTANCE_WEIGHT * find.importance
    return PolicyScore(find.id, similarity + recency + importance, similarity, recency, importance)


def days_since_access(find: PolicyCandidate, now: datetime) -> int:
    """Return whole days; an access in the future counts as today's."""
    if find.last_accessed_at is None:
        return DAYS_IF_NEVER
    return max(0, int((now - find.last_accessed_at).total_seconds() // DAY_SECONDS))
