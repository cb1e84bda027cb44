"""`gated` (002, section 5.3): the three most relevant, and none below .7."""

from datetime import datetime

from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.policies.memory_policy import (
    Choice,
    FellOut,
    Find,
    Scored,
    Search,
    best_of,
)

LEAST_RELEVANCE = 0.7
LOOKED_AT_FOR_EACH = 4


class Gated:
    """score = calibrated relevance, at least .7; of equals the newer, then the surer (5.8)."""

    limit = limit_of(PolicyName.GATED)
    needs_accesses = False

    def searches(self, scopes: tuple[Scope, ...], limit: int) -> tuple[Search, ...]:
        return (Search(scopes, LOOKED_AT_FOR_EACH * limit),)

    def choose(self, finds: list[Find], *, limit: int, now: datetime) -> Choice:  # noqa: ARG002 - theirs is one interface
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
        choice = best_of(
            [Scored(find.id, find.relevance, find.relevance) for find in relevant], limit
        )
        below = tuple(
            FellOut(find.id, find.relevance, "below_relevance")
            for find in ranked
            if find.relevance < LEAST_RELEVANCE
        )
        return choice._replace(fell_out=choice.fell_out + below)
