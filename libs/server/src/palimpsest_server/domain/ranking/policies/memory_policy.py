"""Interface of the named ranking policies: their candidates, scores and choices."""

from datetime import datetime
from typing import NamedTuple, Protocol

from palimpsest.model.scope import Layer, Scope
from palimpsest.model.value_types import UnitInterval

DAY_SECONDS = 86_400


class PolicyCandidate(NamedTuple):
    """Memory with its similarity to the question as the embedding model gives it."""

    id: str
    cosine: float
    relevance: UnitInterval
    """Calibrated relevance by meaning and words together: see `Gate.measure_relevance`."""
    importance: UnitInterval
    confidence: UnitInterval
    layer: Layer
    characters: int
    """Characters that the memory adds to a prompt."""
    recorded_at: datetime
    last_accessed_at: datetime | None = None
    """None unless the policy needs accesses."""


class PolicyScore(NamedTuple):
    """A score with its parts, as they went into the formula."""

    id: str
    score: float
    similarity: float
    recency: float | None = None
    importance: float | None = None


class PolicyExclusion(NamedTuple):
    """Candidate that a policy excluded, with the reason in a word."""

    id: str
    score: float
    why: str


class PolicyChoice(NamedTuple):
    """Chosen memories, best first, and excluded ones."""

    kept: tuple[PolicyScore, ...]
    excluded: tuple[PolicyExclusion, ...] = ()


class PolicySearch(NamedTuple):
    """Search for the nearest memories by meaning in these scopes."""

    scopes: tuple[Scope, ...]
    nearest: int


class MemoryPolicy(Protocol):
    """A ranking of memories by their similarity in meaning and their properties."""

    @property
    def limit(self) -> int:
        """Number of results unless the request names another."""
        ...

    @property
    def needs_accesses(self) -> bool:
        """True for a policy that uses the time of the last recall, which is read separately."""
        ...

    def searches(self, scopes: tuple[Scope, ...], limit: int) -> tuple[PolicySearch, ...]:
        """Return the searches of this policy in the visible scopes."""
        ...

    def choose(self, finds: list[PolicyCandidate], *, limit: int, now: datetime) -> PolicyChoice:
        """Choose at most `limit` of the found memories."""
        ...


def sort_by_cosine(finds: list[PolicyCandidate]) -> list[PolicyCandidate]:
    """Sort by cosine, equals by id, so that the same question gets the same answer."""
    return sorted(finds, key=lambda find: (-find.cosine, find.id))


def choose_best(scored: list[PolicyScore], limit: int) -> PolicyChoice:
    """Choose the `limit` best, equals in the order given; the others are excluded."""
    ranked = sorted(scored, key=lambda one: -one.score)
    return PolicyChoice(
        kept=tuple(ranked[:limit]),
        excluded=tuple(
            PolicyExclusion(one.id, one.score, "beyond_limit") for one in ranked[limit:]
        ),
    )


def exclude_candidates(finds: list[PolicyCandidate], why: str) -> tuple[PolicyExclusion, ...]:
    return tuple(PolicyExclusion(find.id, find.cosine, why) for find in finds)
