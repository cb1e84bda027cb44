"""What a ranking makes of a question: results, and what fell out on the way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from palimpsest.api.recall import Excluded, RecallResult
from palimpsest.model.memory import Memory
from palimpsest_server.domain.ranking.match_pool import SearchMatch, TurnPosition
from palimpsest_server.stores.vectors import VectorHit


@dataclass(frozen=True)
class RecallAnswer:
    results: list[RecallResult]
    memories: Mapping[str, Memory] = field(default_factory=dict)
    """Those among the results, as they were read."""
    gated: bool = False
    fell_out: tuple[Excluded, ...] = ()
    signs: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Of each result of the default ranking, what its score was made of: see `tuning`."""
    gate_margin: float | None = None
    """Only where an explanation was asked for."""
    echoes: frozenset[str] = frozenset()
    """The turns that were found and say no more than the question."""


def match_of(hit: VectorHit) -> SearchMatch:
    stands = hit.session_id is not None and hit.sequence is not None
    place = TurnPosition(hit.session_id, hit.sequence) if stands else None  # type: ignore[arg-type]
    return SearchMatch(hit.id, hit.cosine, hit.lexical, place)


def gated(hits: Iterable[VectorHit]) -> RecallAnswer:
    """Nothing: the question was not understood, or is about nothing that is known."""
    return RecallAnswer([], gated=True, fell_out=fallen(hits, "gated"))


def fallen(hits: Iterable[VectorHit], why: str) -> tuple[Excluded, ...]:
    return tuple(Excluded(id=hit.id, record=hit.record, why=why, score=hit.cosine) for hit in hits)
