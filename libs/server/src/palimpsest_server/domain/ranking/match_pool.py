"""Pool of the matches of one search, with the relevance of each and of the turns around it."""

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from palimpsest_server.domain.ranking.ranking_policy import RankingPolicy


class TurnPosition(NamedTuple):
    """Position of a turn: its session and its number in it."""

    session_id: str
    sequence: int

    def away(self, distance: int) -> "tuple[TurnPosition, TurnPosition]":
        """Return the positions that many turns before and after."""
        return (
            TurnPosition(self.session_id, self.sequence - distance),
            TurnPosition(self.session_id, self.sequence + distance),
        )


class SearchMatch(NamedTuple):
    """Match of a search with its scores; a score is None if that arm did not find it among its best."""

    id: str
    cosine: float | None = None
    lexical: float | None = None
    place: TurnPosition | None = None
    """Position of a turn; None for a memory, which belongs to no session."""
    stated_length: int = 0
    """Length of its statement; of matches that are equally relevant the longer is better."""
    at: int = 0
    """Moment in seconds since 1970; of equals the later is better."""


class Relevance(NamedTuple):
    """Weighted parts of a relevance, ready to be added."""

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
    """The matches of one search, compared with each other."""

    def __init__(self, matches: Iterable[SearchMatch], policy: RankingPolicy) -> None:
        # Sorted, so that nothing depends on the order in which they were found. By ids last: they hold
        # the user's, so an archive that another user takes in would else be answered in another order.
        self._matches = {match.id: match for match in sorted(matches, key=_order_equals)}
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
        """Return the relevance of a match, or of a turn beside one."""
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
        """Return the most relevant matches, best first; of equals the longer, then the later, then by id.

        Matches in `besides` are returned in their place and do not count towards the limit.
        """
        scores = dict(self._scores)
        for match in self._matches.values():
            if match.place is not None:
                scores[match.id] += self._around(match.place)
        # Matches are sorted already, and the stable sort keeps that order for equals.
        best = sorted(self._matches, key=scores.__getitem__, reverse=True)
        if besides:
            counted = accumulate(identity not in besides for identity in best)
            best = [one for one, so_many in zip(best, counted, strict=True) if so_many <= limit]
        return [self._matches[identity] for identity in (best if besides else best[:limit])]

    def find_unseen_neighbours(self, matches: Sequence[SearchMatch]) -> list[TurnPosition]:
        """Return the positions beside these turns at which nothing was found."""
        places = {
            place
            for match in matches
            if match.place is not None
            for place in match.place.away(1)
            if place.sequence >= 1 and place not in self._at
        }
        return sorted(places)


def _order_equals(match: SearchMatch) -> tuple[int, int, str]:
    return (-match.stated_length, -match.at, match.id)


def _scaled(scores: dict[str, float | None], at_least: float = 0.0) -> dict[str, float]:
    """Scale scores to 0..1 by the least and the greatest; if all are equal, each is 1.

    If their range is smaller than `at_least`, that range below the greatest is used, but not below 0. So low
    scores stay low, even if they are the greatest.
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
