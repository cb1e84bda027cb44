"""`companion` policy: the five nearest, under 500 characters together."""

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
"""All of them together stay below this."""


class CompanionPolicy:
    """score = cosine. One that does not fit is left out, and shorter ones behind it may come."""

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
