"""The default ranking of one question's finds, by all that is known of them so far."""

from collections.abc import Collection, Iterable, Sequence

from palimpsest.api.recall import RecordType
from palimpsest_server.domain.ranking.deduplicate import take_distinct
from palimpsest_server.domain.ranking.lapsed_memories import put_superseded_first, settle_lapsed
from palimpsest_server.domain.ranking.match_pool import MatchPool, SearchMatch
from palimpsest_server.domain.ranking.ranking_candidates import RankingCandidates
from palimpsest_server.domain.ranking.ranking_features import NOTHING_STATED
from palimpsest_server.domain.ranking.ranking_policy import RankingPolicy
from palimpsest_server.domain.ranking.score import (
    RankedCandidate,
    RankingCandidate,
    rank_candidates,
)
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from palimpsest_server.stores.vectors import VectorHit
from services.recall.hits import memories_first, record_of, summaries_first
from services.recall.question import Question

RANKED_AT_LEAST = 35
"""Ranked by all signs, of the most relevant: who speaks moves a turn up by many places, and
further down it moves up what was hardly asked for. Of 20 to 50 this many found most of the
evidence; with 50 a block of 500 tokens held 2 % less of it, with 150 12 % less."""

BESIDE = 3
"""The best finds whose neighbours are read even where they were not found themselves."""

SPARE = 5
"""Read besides what is to be returned, for the places of those that say the same again."""


def ranked_at_most(limit: int) -> int:
    """So many of the finds, where so many are to be returned."""
    return max(RANKED_AT_LEAST, limit)


class Ranking:
    """Of what passed the gate; what was `asked` for by its attribute is ranked in any case."""

    def __init__(
        self,
        question: Question,
        policy: RankingPolicy,
        hits: Sequence[VectorHit],
        matches: Sequence[SearchMatch],
        asked: Collection[str],
    ) -> None:
        self._question, self._policy, self._asked = question, policy, asked
        self.finds = {hit.id: hit for hit in hits}
        self.pool = MatchPool(matches, policy)
        best = self._most_relevant(matches)
        always = (
            match
            for match in matches
            if match.id in asked or self.finds[match.id].record is RecordType.SUMMARY
        )
        looked_at = {match.id: match for match in (*best, *always)}.values()
        self.contenders = RankingCandidates(
            (self._contender(match) for match in looked_at if self._holds(match)),
            (self._contender(match) for match in best if not self._holds(match)),
        )
        self.beside = [] if question.of_its_times else self.pool.unseen_beside(best[:BESIDE])
        """Places whose turns were not found, and are to be read all the same."""

    def best_first(self) -> list[RankedCandidate]:
        ranked = settle_lapsed(
            self.of(self.contenders.standing, self._asked),
            self.of(self.contenders.over),
            self.contenders.successors,
        )
        if self._question.of_the_past:
            ranked = put_superseded_first(ranked)
        if self._question.last_time:
            return summaries_first(ranked, self.finds)
        if self._question.of_its_times:
            return memories_first(ranked, self.finds)
        return ranked

    def of(
        self, contenders: Iterable[RankingCandidate], asked: Collection[str] = ()
    ) -> list[RankedCandidate]:
        """These alone, best first."""
        query, times = self._question.request.query, self._question.times
        return rank_candidates(query, contenders, self.pool, self._policy, times=times, asked=asked)

    def unread(
        self, ranked: Sequence[RankedCandidate], read: VisibleDocuments
    ) -> dict[str, RecordType]:
        """Those that may be returned of which nothing was read yet."""
        limit = self._question.request.wanted
        return {
            one.contender.id: record_of(one.contender.id, self.finds)
            for one in take_distinct(ranked, limit + min(SPARE, limit))
            if one.contender.id not in read
        }

    def _most_relevant(self, matches: Sequence[SearchMatch]) -> list[SearchMatch]:
        limit = ranked_at_most(self._question.request.wanted)
        hollow = {one.id for one in self.finds.values() if one.signs.spoken == NOTHING_STATED}
        return self.pool.best(
            len(matches) if self._question.of_its_times else limit, besides=hollow
        )

    def _contender(self, match: SearchMatch) -> RankingCandidate:
        return RankingCandidate(match.id, self.finds[match.id].signs, match.place)

    def _holds(self, match: SearchMatch) -> bool:
        return self.finds[match.id].status in self._question.sight.statuses
