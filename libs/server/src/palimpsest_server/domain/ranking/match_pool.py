"""Pool of the matches of one search, with the relevance of each and of the turns around it."""

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from palimpsest_server.domain.ranking.ranking_policy import RankingPolicy


class TurnPosition(NamedTuple):
    """Position of a turn: its session and its number in it."""

    session_id: str
    sequence: int

    def away(self, distance: int) -> "tuple[TurnPosition, TurnPosition]":
        """The places so many turns before and after."""
        return (
            TurnPosition(self.session_id, self.sequence - distance),
            TurnPosition(self.session_id, self.sequence + distance),
        )


class SearchMatch(NamedTuple):
    """Match of a search with its scores; None for an arm among whose best it is not."""

    id: str
    cosine: float | None = None
    lexical: float | None = None
    place: TurnPosition | None = None
    """The position of a turn; a memory stands in no session."""


class Relevance(NamedTuple):
    """Weighted parts, ready to be added."""

    dense: float = 0.0
    sparse: float = 0.0
    neighbours: float = 0.0

    @property
    def own(self) -> float:
        return self.dense + self.sparse

    @property
    def total(self) -> float:
        return self.own + self.neighbours


_NONE = Relevance()


class MatchPool:
    """The finds of one search, weighed against each other."""

    def __init__(self, matches: Iterable[SearchMatch], policy: RankingPolicy) -> None:
        # By id, so that nothing depends on the order in which they were found.
        self._matches = {match.id: match for match in sorted(matches, key=attrgetter("id"))}
        self._policy = policy
        dense = _scaled({match.id: match.cosine for match in self._matches.values()})
        sparse = _scaled(
            {match.id: match.lexical for match in self._matches.values()}, policy.words_in_common
        )
        self._own = {
            identity: Relevance(
                policy.dense * dense.get(identity, 0.0), policy.sparse * sparse.get(identity, 0.0)
            )
            for identity in self._matches
        }
        self._scores = {identity: own.own for identity, own in self._own.items()}
        self._at: dict[tuple[str, int], float] = {
            match.place: self._scores[match.id]
            for match in self._matches.values()
            if match.place is not None
        }

    def relevance(self, identity: str, place: TurnPosition | None) -> Relevance:
        """Return the relevance of a match, or of a turn that only stands beside one."""
        own = self._own.get(identity, _NONE)
        if place is None:
            return own
        return Relevance(own.dense, own.sparse, self._around(place))

    def _around(self, place: TurnPosition) -> float:
        (session_id, sequence), found, around = place, self._at.get, 0.0
        for distance, weight in enumerate(self._policy.neighbours, start=1):
            around += weight * found((session_id, sequence - distance), 0.0)
            around += weight * found((session_id, sequence + distance), 0.0)
        return around

    def __contains__(self, identity: object) -> bool:
        return identity in self._matches

    def cosine(self, identity: str) -> float | None:
        match = self._matches.get(identity)
        return None if match is None else match.cosine

    def select_best(self, limit: int, *, besides: Collection[str] = ()) -> list[SearchMatch]:
        """The most relevant finds, best first; equals by id.

        `besides` these that stand among them, which take no place.
        """
        scores = dict(self._scores)
        for match in self._matches.values():
            if match.place is not None:
                scores[match.id] += self._around(match.place)
        # They stand in the order of their ids, and sorting leaves equals as they stood.
        best = sorted(self._matches, key=scores.__getitem__, reverse=True)
        if besides:
            counted = accumulate(identity not in besides for identity in best)
            best = [one for one, so_many in zip(best, counted, strict=True) if so_many <= limit]
        return [self._matches[identity] for identity in (best if besides else best[:limit])]

    def find_unseen_neighbours(self, matches: Sequence[SearchMatch]) -> list[TurnPosition]:
        """The places beside these turns at which nothing was found."""
        places = {
            place
            for match in matches
            if match.place is not None
            for place in match.place.away(1)
            if place.sequence >= 1 and place not in self._at
        }
        return sorted(places)


def _scaled(scores: dict[str, float | None], at_least: float = 0.0) -> dict[str, float]:
    """Scale scores to 0..1 by the least and the greatest; where all are equal, each is 1.

    Where they lie closer together than `at_least`, over so much below the greatest, but from 0
    on: so that what is little stays so, even if it is the most.
    """
    known = {identity: score for identity, score in scores.items() if score is not None}
    if not known:
        return {}
    greatest = max(known.values())
    least = min(*known.values(), max(greatest - at_least, 0.0))
    width = max(greatest - least, at_least)
    if width <= 0:
        return dict.fromkeys(known, 1.0)
    return {identity: (score - least) / width for identity, score in known.items()}
