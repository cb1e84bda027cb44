"""Score candidates by relevance, by speaker, and by the length of their statement."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from palimpsest_language.question_intents.named_people import names_person
from palimpsest_language.question_intents.question_times import TimeSpan, lies_in_spans
from palimpsest_server.domain.ranking.match_pool import MatchPool, TurnPosition
from palimpsest_server.domain.ranking.ranking_features import (
    NO_FEATURES,
    NOTHING_STATED,
    RankingFeatures,
)
from palimpsest_server.domain.ranking.ranking_policy import RankingPolicy


class RankingCandidate(NamedTuple):
    """A memory or a turn, with the fields that ranking needs."""

    id: str
    features: RankingFeatures = NO_FEATURES
    place: TurnPosition | None = None
    """Position of a turn; None for a memory."""

    @property
    def says_something(self) -> bool:
        return self.features.stated_length != NOTHING_STATED

    @property
    def sources(self) -> frozenset[str]:
        """The turns that a candidate rests on: those that a memory quotes, else itself; never empty."""
        return frozenset(self.features.quoted) or frozenset((self.id,))


class ScoreBreakdown(NamedTuple):
    """Parts of a score, which is their sum."""

    dense: float = 0.0
    sparse: float = 0.0
    neighbours: float = 0.0
    speaker: float = 0.0
    length: float = 0.0
    time: float = 0.0
    """Part for a time that the question names."""
    succession: float = 0.0
    """Part that lifts a memory to the rank of the memory that it replaced; below 0 for a turn
    that states what no longer holds."""
    asked: float = 0.0
    """Part for the attribute that the question asks for."""

    @property
    def total(self) -> float:
        return (
            self.dense
            + self.sparse
            + self.neighbours
            + self.speaker
            + self.length
            + self.time
            + self.succession
            + self.asked
        )


class RankedCandidate(NamedTuple):
    candidate: RankingCandidate
    parts: ScoreBreakdown
    outdated: bool = False
    """True for a turn that states what no longer holds, or answers such a turn."""

    @property
    def score(self) -> float:
        return self.parts.total


def rank_candidates(
    question: str,
    candidates: Iterable[RankingCandidate],
    pool: MatchPool,
    policy: RankingPolicy,
    *,
    times: Sequence[TimeSpan] = (),
    asked: Collection[str] = (),
) -> list[RankedCandidate]:
    """Return the candidates, best first; of equals memories before turns, then the later, then by id.

    Candidates without a statement are left out after they raised the turns beside them and the
    memories that quote them. `times` are those that the question names, `asked` the ids of memories of
    the attribute that it asks for.
    """
    found = list(candidates)

    @cache
    def named(name: str) -> bool:
        return names_person(question, name)

    def parts_of(candidate: RankingCandidate) -> ScoreBreakdown:
        relevance, features = pool.relevance(candidate.id, candidate.place), candidate.features
        return ScoreBreakdown(
            dense=relevance.dense,
            sparse=relevance.sparse,
            neighbours=relevance.neighbours,
            speaker=policy.speaker if any(map(named, features.about)) else 0.0,
            length=policy.length * min(max(features.stated_length, 0) / policy.full_length, 1.0),
            time=policy.time if times and _is_of_times(features, times) else 0.0,
            asked=policy.asked if candidate.id in asked else 0.0,
        )

    parts = {candidate.id: parts_of(candidate) for candidate in found}
    ranked = [
        RankedCandidate(candidate, _with_quoted(candidate, parts))
        for candidate in found
        if candidate.says_something
    ]
    return sorted(ranked, key=ranking_order)


def _is_of_times(features: RankingFeatures, times: Sequence[TimeSpan]) -> bool:
    """Return whether the moment of a candidate, or the period in which it held, is in these times."""
    if features.held is None:
        return lies_in_spans(features.at, times)
    begins, ends = features.held
    return any(
        (since is None or since < ends) and (until is None or begins < until)
        for since, until in times
    )


def _with_quoted(
    candidate: RankingCandidate, parts: Mapping[str, ScoreBreakdown]
) -> ScoreBreakdown:
    """Return a memory's parts; neighbours, speaker and time are at least those of the turns that it quotes."""
    own = parts[candidate.id]
    quoted: Sequence[ScoreBreakdown] = [
        parts[source] for source in candidate.features.quoted if source in parts
    ]
    if not quoted:
        return own
    return ScoreBreakdown(
        dense=own.dense,
        sparse=own.sparse,
        neighbours=max(own.neighbours, *(part.neighbours for part in quoted)),
        speaker=max(own.speaker, *(part.speaker for part in quoted)),
        length=own.length,
        time=max(own.time, *(part.time for part in quoted)),
        asked=own.asked,
    )


def ranking_order(ranked: RankedCandidate) -> tuple[float, bool, int, str]:
    candidate = ranked.candidate
    return (-ranked.score, candidate.place is not None, -(candidate.features.at or 0), candidate.id)
