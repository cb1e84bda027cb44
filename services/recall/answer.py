"""The answer of a ranking to a question: its results and the excluded hits."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from palimpsest.api.recall import Excluded, RecallResult
from palimpsest.model.memory import Memory
from palimpsest.model.value_types import UnitInterval
from palimpsest_server.stores.vectors import VectorHit


@dataclass(frozen=True)
class RecallAnswer:
    results: list[RecallResult]
    memories: Mapping[str, Memory] = field(default_factory=dict)
    """The documents of the memories among the results, by id."""
    gated: bool = False
    """True if nothing was relevant enough to return."""
    excluded: tuple[Excluded, ...] = ()
    """Empty unless an explanation was requested."""
    score_features: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Unweighted parts of each result's score in the default ranking, by id."""
    gate_margin: float | None = None
    """The gate's margin; None unless an explanation was requested."""
    echoes: frozenset[str] = frozenset()
    """Ids of found turns that only repeat the question."""

    def with_relevance(self, relevance: Mapping[str, UnitInterval]) -> "RecallAnswer":
        """Return the answer with the relevance of each result that a search found."""
        results = [
            result.model_copy(update={"relevance": relevance[result.id]})
            if result.id in relevance
            else result
            for result in self.results
        ]
        return replace(self, results=results)


def build_gated_answer(hits: Iterable[VectorHit]) -> RecallAnswer:
    """Return an empty answer: nothing known is about the question."""
    return RecallAnswer([], gated=True, excluded=exclude_hits(hits, "gated"))


def exclude_hits(hits: Iterable[VectorHit], why: str) -> tuple[Excluded, ...]:
    return tuple(Excluded(id=hit.id, record=hit.record, why=why, score=hit.cosine) for hit in hits)
