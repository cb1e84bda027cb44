"""`layered` policy: three from across projects and five of the project, by importance."""

from datetime import datetime

from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.scope import Layer, Scope
from palimpsest_server.domain.ranking.policies.memory_policy import (
    PolicyCandidate,
    PolicyChoice,
    PolicyScore,
    PolicySearch,
    choose_best,
    exclude_candidates,
    sort_by_cosine,
)

ACROSS_PROJECTS = 3
OF_THE_PROJECT = 5


class LayeredPolicy:
    """score = cosine * importance, over the 3 + 5 nearest; 6 are returned.

    The source's importance is 1 to 5 and divided by 5; ours is 0 to 1 already.
    """

    limit = limit_of(PolicyName.LAYERED)
    needs_accesses = False

    def searches(self, scopes: tuple[Scope, ...], limit: int) -> tuple[PolicySearch, ...]:  # noqa: ARG002 - theirs is one interface
        across = tuple(scope for scope in scopes if scope.layer is not Layer.PROJECT)
        project = tuple(scope for scope in scopes if scope.layer is Layer.PROJECT)
        searches = (PolicySearch(across, ACROSS_PROJECTS), PolicySearch(project, OF_THE_PROJECT))
        return tuple(search for search in searches if search.scopes)

    def choose(self, finds: list[PolicyCandidate], *, limit: int, now: datetime) -> PolicyChoice:  # noqa: ARG002 - theirs is one interface
        near = sort_by_cosine(finds)
        across = [find for find in near if find.layer is not Layer.PROJECT]
        project = [find for find in near if find.layer is Layer.PROJECT]
        scored = [
            PolicyScore(
                id=find.id,
                score=find.cosine * find.importance,
                similarity=find.cosine,
                importance=find.importance,
            )
            for find in (*across[:ACROSS_PROJECTS], *project[:OF_THE_PROJECT])
        ]
        choice = choose_best(scored, limit)
        further = exclude_candidates(
            across[ACROSS_PROJECTS:] + project[OF_THE_PROJECT:], "beyond_layer_limit"
        )
        return choice._replace(excluded=choice.excluded + further)
