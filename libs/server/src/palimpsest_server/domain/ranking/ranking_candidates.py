"""Candidates of a ranking: those that may be returned, and lapsed ones that lead to them."""

from collections.abc import Collection, Container, Iterable

from palimpsest_server.domain.ranking.extract_features import extract_memory_features
from palimpsest_server.domain.ranking.ranking_features import NO_FEATURES, RankingFeatures
from palimpsest_server.domain.ranking.score import RankingCandidate
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments


class RankingCandidates:
    def __init__(
        self, standing: Iterable[RankingCandidate], lapsed: Iterable[RankingCandidate]
    ) -> None:
        self.standing, self.lapsed = list(standing), list(lapsed)
        self.successors = {
            ranking_candidate.id: ranking_candidate.features.successor
            for ranking_candidate in self.lapsed
            if ranking_candidate.features.successor
        }
        """Successor of each superseded candidate, by id."""
        self.hidden: set[str] = set()
        """Ids of candidates that were read and may not be shown."""
        self.standing += self._heirs()

    def find_quoting(self, turns: Container[str]) -> list[str]:
        """Return the ids of candidates that hold and quote any of these turns, by the projection."""
        return [
            ranking_candidate.id
            for ranking_candidate in self.standing
            if any(map(turns.__contains__, ranking_candidate.features.quoted))
        ]

    @property
    def outdated(self) -> list[RankingCandidate]:
        """Lapsed candidates, and corrected memories as they were: both lead to successors."""
        corrections = [
            RankingCandidate(
                ranking_candidate.id, RankingFeatures(quoted=ranking_candidate.features.corrected)
            )
            for ranking_candidate in (*self.standing, *self.lapsed)
            if ranking_candidate.features.corrected
        ]
        return [*self.lapsed, *corrections]

    def learn(self, asked_for: Collection[str], read: VisibleDocuments) -> bool:
        """Take in the documents `read` of the `asked_for` candidates; return whether the candidates changed.

        Only a document tells that a candidate may not be shown. Then its successor and the next candidates
        are looked at.
        """
        gone = {one for one in asked_for if one not in read}
        self.hidden |= gone
        self.lapsed += [
            ranking_candidate
            for ranking_candidate in self.standing
            if ranking_candidate.id in gone and ranking_candidate.id in read.successors
        ]
        self.successors |= {old: new for old, new in read.successors.items() if old in gone}
        before = self.standing
        self.standing = [_as_read(one, read) for one in before if one.id not in gone]
        self.standing += read.build_neighbour_candidates(asked_for)
        self.standing += self._heirs()
        return self.standing != before

    def _heirs(self) -> list[RankingCandidate]:
        """Return candidates that replaced a found one and were not found themselves.

        Each is returned once, because a candidate that may not be shown would be requested for ever.
        """
        known = {
            ranking_candidate.id for ranking_candidate in (*self.standing, *self.lapsed)
        } | self.hidden
        heirs = dict.fromkeys(self.successors.values())
        return [RankingCandidate(heir) for heir in heirs if heir not in known]


def _as_read(candidate: RankingCandidate, read: VisibleDocuments) -> RankingCandidate:
    memory = read.memories.get(candidate.id)
    if memory is None or candidate.features is not NO_FEATURES:
        return candidate
    return candidate._replace(features=extract_memory_features(memory))
