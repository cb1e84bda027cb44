"""What was looked at and is not among the results, and why in a word."""

from collections.abc import Sequence

from palimpsest.api.recall import Excluded
from palimpsest_server.domain.ranking.exclusion_reasons import SAYS_NOTHING
from palimpsest_server.domain.ranking.ranking_features import NOTHING_STATED
from palimpsest_server.domain.ranking.score import RankedCandidate
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from services.recall.answer import fallen
from services.recall.hits import record_of
from services.recall.rank import Ranking


def fell_out_of(
    ranked: Sequence[RankedCandidate],
    chosen: Sequence[RankedCandidate],
    read: VisibleDocuments,
    ranking: Ranking,
) -> tuple[Excluded, ...]:
    """The nearest first: those that came too late, no longer hold, or were not near enough."""
    finds, lapsed = ranking.finds, ranking.contenders.lapsed
    shown = {one.contender.id for one in chosen}
    late = tuple(
        Excluded(
            id=one.contender.id,
            record=record_of(one.contender.id, finds),
            why="beyond_limit",
            score=one.score,
        )
        for one in ranked
        if one.contender.id not in shown
        and (one.contender.place is None or one.contender.id in finds)
    )
    over = fallen((finds[one.id] for one in lapsed if one.id in finds), "no_longer_holds")
    hidden = tuple(
        Excluded(id=one, record=record_of(one, finds), why=why)
        for one, why in read.hidden.items()
        if one in finds or why != SAYS_NOTHING
    )
    hollow = [hit for hit in finds.values() if hit.signs.spoken == NOTHING_STATED]
    hidden += fallen((hit for hit in hollow if hit.id not in read.hidden), SAYS_NOTHING)
    told = shown | {one.id for one in (*late, *over, *hidden)}
    # Of what was erased or withheld nothing is told, nor of others'.
    unnamed = told | ranking.contenders.hidden
    rest = [hit for hit in finds.values() if hit.id not in unnamed]
    far = fallen((hit for hit in rest if hit.id not in ranking.pool), "not_near_enough")
    further = fallen((hit for hit in rest if hit.id in ranking.pool), "beyond_candidates")
    return (*late, *over, *hidden, *further, *far)
