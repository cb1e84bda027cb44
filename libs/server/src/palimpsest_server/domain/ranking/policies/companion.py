"""`companion` (003, sections 3 and 8): the five nearest, under 500 characters together."""

from datetime import datetime

from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.policies.memory_policy import (
    Choice,
    FellOut,
    Find,
    Scored,
    Search,
    nearest_first,
)

CHARACTERS = 500
"""All of them together stay below this."""


class Companion:
    """score = cosine. One that does not fit is left out, and shorter ones behind it may come."""

    limit = limit_of(PolicyName.COMPANION)
    needs_accesses = False

    def searches(self, scopes: tuple[Scope, ...], limit: int) -> tuple[Search, ...]:
        return (Search(scopes, limit),)

    def choose(self, finds: list[Find], *, limit: int, now: datetime) -> Choice:  # noqa: ARG002 - theirs is one interface
        near = nearest_first(finds)
        kept: list[Scored] = []
        fell_out = [FellOut(find.id, find.cosine, "beyond_limit") for find in near[limit:]]
        characters = 0
        for find in near[:limit]:
            if characters + find.characters >= CHARACTERS:
                fell_out.append(FellOut(find.id, find.cosine, "over_characters"))
                continue
            characters += find.characters
            kept.append(Scored(find.id, find.cosine, find.cosine))
        return Choice(tuple(kept), tuple(fell_out))
