"""`blended` (001, section 4.1): similarity, last use and importance in one weighted sum."""

import math
from datetime import datetime

from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.policies.memory_policy import (
    DAY_SECONDS,
    Choice,
    Find,
    Scored,
    Search,
    best_of,
    nearest_first,
    without,
)

SIMILARITY_WEIGHT = 0.6
RECENCY_WEIGHT = 0.2
IMPORTANCE_WEIGHT = 0.2
TIME_CONSTANT_DAYS = 30
"""exp(-d / 30): after 30 days 37 % is left, after 21 half. The source calls it a half-life."""

DAYS_IF_NEVER = 365
CANDIDATES_FOR_EACH = 2


class Blended:
    """score = .6 cosine + .2 exp(-days / 30) + .2 importance, over twice as many as are returned.

    `days` are whole days since the last access, 365 where there was none. The
    source's comment has a product; its code, which counts, has this sum.
    """

    limit = limit_of(PolicyName.BLENDED)
    needs_accesses = True

    def searches(self, scopes: tuple[Scope, ...], limit: int) -> tuple[Search, ...]:
        return (Search(scopes, CANDIDATES_FOR_EACH * limit),)

    def choose(self, finds: list[Find], *, limit: int, now: datetime) -> Choice:
        near, looked_at = nearest_first(finds), CANDIDATES_FOR_EACH * limit
        choice = best_of([_scored(find, now) for find in near[:looked_at]], limit)
        further = without(near[looked_at:], "beyond_candidates")
        return choice._replace(fell_out=choice.fell_out + further)


def _scored(find: Find, now: datetime) -> Scored:
    similarity = SIMILARITY_WEIGHT * find.cosine
    recency = RECENCY_WEIGHT * math.exp(-days_since_access(find, now) / TIME_CONSTANT_DAYS)
    importance = IMPORTANCE_WEIGHT * find.importance
    return Scored(find.id, similarity + recency + importance, similarity, recency, importance)


def days_since_access(find: Find, now: datetime) -> int:
    """Whole days; an access that a clock says is to come is of today."""
    if find.last_accessed_at is None:
        return DAYS_IF_NEVER
    return max(0, int((now - find.last_accessed_at).total_seconds() // DAY_SECONDS))
