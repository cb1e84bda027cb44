"""Ranks the admitted hits of one question by all features known so far."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from palimpsest.api.recall import RecordType
from palimpsest_server.domain.ranking.lapsed_memories import put_superseded_first, settle_lapsed
from palimpsest_server.domain.ranking.match_pool import MatchPool, SearchMatch
from palimpsest_server.domain.ranking.policies.summary_selection import SUMMARIES_ON_REQUEST
from palimpsest_server.domain.ranking.ranking_candidates import RankingCandidates
from palimpsest_server.domain.ranking.ranking_features import NOTHING_STATED
from palimpsest_server.domain.ranking.ranking_policy import RankingPolicy
from palimpsest_server.domain.ranking.repetitions import take_distinct
from palimpsest_server.domain.ranking.score import (
    RankedCandidate,
    RankingCandidate,
    rank_candidates,
)
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from palimpsest_server.stores.vectors import VectorHit
from services.recall.intents import EarlierConversationIntent, TimeIntent
from services.recall.question import Question

RANKED_AT_LEAST = 35
"""The least number of most relevant hits that are ranked by all features. The speaker alone moves a
turn up by many places; further down that would promote turns that hardly match. Of 20 to 50 this
number found most of the evidence: with 50 a block of 500 tokens held 2 % less of it, with 150 12 %
less.
"""

BESIDE = 3
"""The number of best hits whose neighbours are read, even if the search did not find those."""

SPARE = 5
"""Extra documents that are read, to take the places of repetitions."""

_RECORD_ORDER = {RecordType.MEMORY: 0, RecordType.SUMMARY: 1, RecordType.TURN: 2}


def count_ranked(limit: int) -> int:
    """Return how many hits are ranked to return `limit` results."""
    return max(RANKED_AT_LEAST, limit)


class Ranking:
    """The candidates of one question; it changes as their documents are read."""

    def __init__(
        self,
        question: Question,
        policy: RankingPolicy,
        hits: Sequence[VectorHit],
        matches: Sequence[SearchMatch],
        answering: Collection[str],
    ) -> None:
        """Take in the hits.

        Args:
            question: the question.
            policy: the weights.
            hits: all hits.
            matches: the hits that the gate admitted.
            answering: ids of memories of the attribute in question; they are always ranked.
        """
        self._question, self._policy, self._answering = question, policy, answering
        self.hits = {hit.id: hit for hit in hits}
        self.pool = MatchPool(matches, policy)
        best = self._select_most_relevant(matches)
        always = (
            match
            for match in matches
            if match.id in answering or self.hits[match.id].record is RecordType.SUMMARY
        )
        ranked = {match.id: match for match in (*best, *always)}.values()
        self.candidates = RankingCandidates(
            (self._build_candidate(match) for match in ranked if self._holds(match)),
            (self._build_candidate(match) for match in best if not self._holds(match)),
        )
        self.beside = (
            [] if question.is_within_times else self.pool.find_unseen_neighbours(best[:BESIDE])
        )
        """Positions of turns that were not found and are read all the same."""

    def rank(self) -> list[RankedCandidate]:
        """Return the candidates that may be returned, best first."""
        ranked = settle_lapsed(
            self._rank(self.candidates.standing, self._answering),
            self._rank(self.candidates.outdated),
            self.candidates.successors,
        )
        if self._question.visibility.looks_back:
            ranked = put_superseded_first(ranked)
        match self._question.intent:
            case EarlierConversationIntent():
                return _put_summaries_first(ranked, self.hits)
            case TimeIntent():
                return sorted(
                    ranked,
                    key=lambda one: _RECORD_ORDER[find_record(one.candidate.id, self.hits)],
                )
        return ranked

    def rank_lapsed(self) -> list[RankedCandidate]:
        """Return the candidates that no longer hold, best first."""
        return self._rank(self.candidates.lapsed)

    def find_unread(
        self, ranked: Sequence[RankedCandidate], documents: VisibleDocuments
    ) -> dict[str, RecordType]:
        """Return the ids and types of candidates that may be returned and are not read yet."""
        limit = self._question.request.wanted
        return {
            one.candidate.id: find_record(one.candidate.id, self.hits)
            for one in take_distinct(ranked, limit + min(SPARE, limit))
            if one.candidate.id not in documents
        }

    def _rank(
        self, candidates: Iterable[RankingCandidate], answering: Collection[str] = ()
    ) -> list[RankedCandidate]:
        question = self._question
        return rank_candidates(
            question.request.query,
            candidates,
            self.pool,
            self._policy,
            times=question.times,
            asked=answering,
        )

    def _select_most_relevant(self, matches: Sequence[SearchMatch]) -> list[SearchMatch]:
        limit = count_ranked(self._question.request.wanted)
        hollow = {
            hit.id for hit in self.hits.values() if hit.features.stated_length == NOTHING_STATED
        }
        return self.pool.select_best(
            len(matches) if self._question.is_within_times else limit, besides=hollow
        )

    def _build_candidate(self, match: SearchMatch) -> RankingCandidate:
        return RankingCandidate(match.id, self.hits[match.id].features, match.place)

    def _holds(self, match: SearchMatch) -> bool:
        return self.hits[match.id].status in self._question.visibility.statuses


def find_record(identity: str, hits: Mapping[str, VectorHit]) -> RecordType:
    """Return the type of a record. An id without a hit is the successor of a memory, so a memory."""
    return hits[identity].record if identity in hits else RecordType.MEMORY


def _put_summaries_first(
    ranked: Sequence[RankedCandidate], hits: Mapping[str, VectorHit]
) -> list[RankedCandidate]:
    """Return the best summaries, then all other candidates in their order."""
    summaries = [
        ranked_candidate
        for ranked_candidate in ranked
        if ranked_candidate.candidate.id in hits
        and hits[ranked_candidate.candidate.id].record is RecordType.SUMMARY
    ]
    first = summaries[:SUMMARIES_ON_REQUEST]
    return [
        *first,
        *(ranked_candidate for ranked_candidate in ranked if ranked_candidate not in first),
    ]
