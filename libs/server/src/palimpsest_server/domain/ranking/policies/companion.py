"""`companion` policy: the five nearest memories, under 500 characters together."""

from datetime import datetime

from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.policies.memory_policy import (
    PolicyCandidate,
    PolicyChoice,
    PolicyExclusion,
    PolicyScore,
    PolicySearch,
    sort_by_cosine,
)

CHARACTERS = 500
"""Limit for the characters of all chosen memories together."""


class CompanionPolicy:
    """score = cosine. A memory that does not fit is skipped, and shorter ones after it may be chosen."""

    limit = limit_of(PolicyName.COMPANION)
    needs_accesses = False

    def searches(self, scopes: tuple[Scope, ...], limit: int) -> tuple[PolicySearch, ...]:
        return (PolicySearch(scopes, limit),)

    def choose(self, finds: list[PolicyCandidate], *, limit: int, now: datetime) -> PolicyChoice:  # noqa: ARG002 - theirs is one interface
        near = sort_by_cosine(finds)
        kept: list[PolicyScore] = []
        excluded = [PolicyExclusion(find.id, find.cosine, "beyond_limit") for find in near[limit:]]
        characters = 0
        for find in near[:limit]:
            if characters + find.characters >= CHARACTERS:
                excluded.append(PolicyExclusion(find.id, find.cosine, "over_characters"))
                continue
            characters += find.characters
            kept.append(PolicyScore(find.id, find.cosine, find.cosine))
        return PolicyChoice(tuple(kept), tuple(excluded))
