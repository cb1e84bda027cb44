"""Score candidates by relevance, by who speaks, and by whether enough is said."""

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
    """A memory or a turn, as far as ranking needs to know it."""

    id: str
    features: RankingFeatures = NO_FEATURES
    place: TurnPosition | None = None
    """The position of a turn; None for a memory."""

    @property
    def says_something(self) -> bool:
        return self.features.stated_length != NOTHING_STATED

    @property
    def sources(self) -> frozenset[str]:
        """The turns it rests on: those a memory quotes, else itself; never empty."""
        return frozenset(self.features.quoted) or frozenset((self.id,))


class ScoreBreakdown(NamedTuple):
    """Parts whose sum is the score."""

    dense: float = 0.0
    sparse: float = 0.0
    neighbours: float = 0.0
    speaker: float = 0.0
    length: float = 0.0
    time: float = 0.0
    """For lying in a time that the question speaks of."""
    succession: float = 0.0
    """Part that lifts a memory to where the one would stand that it replaced; below 0 for a turn
    that states what no longer holds."""
    asked: float = 0.0
    """For being of the attribute that the question asks for."""

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
    """A turn that states what no longer holds, or answers one that does."""

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
    """Return the candidates best first; of equals memories before turns, then by id.

    What says nothing is left out, once it has led to what it stands beside and
    to what quotes it. `times` are those that the question speaks of, `asked` the
    ids of memories of the attribute that it asks for.
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
    """Tell whether it is of a time that is asked about: by its moment, or by the period it held."""
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
    """A memory stands where the turn it quotes stands, and is said by who said that."""
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


def ranking_order(ranked: RankedCandidate) -> tuple[float, bool, str]:
    candidate = ranked.candidate
    return (-ranked.score, candidate.place is not None, candidate.id)
