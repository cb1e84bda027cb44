"""What the sources' policies know of a memory that was found, and what they make of it."""

from datetime import datetime
from typing import NamedTuple, Protocol

from palimpsest.model.scope import Layer, Scope
from palimpsest.model.value_types import UnitInterval

DAY_SECONDS = 86_400


class PolicyCandidate(NamedTuple):
    """One memory, with its similarity to the question as the embedding model gave it."""

    id: str
    cosine: float
    relevance: UnitInterval
    """The cosine calibrated: see `Calibration.relevance`."""
    importance: UnitInterval
    confidence: UnitInterval
    layer: Layer
    characters: int
    """Of what is written into a prompt."""
    recorded_at: datetime
    last_accessed_at: datetime | None = None
    """Only known to policies that say they need it."""


class PolicyScore(NamedTuple):
    """A score and what it is made of, each part as it went into the formula."""

    id: str
    score: float
    similarity: float
    recency: float | None = None
    importance: float | None = None


class PolicyExclusion(NamedTuple):
    """What a policy looked at and left out, and why in a word."""

    id: str
    score: float
    why: str


class PolicyChoice(NamedTuple):
    """Best first."""

    kept: tuple[PolicyScore, ...]
    excluded: tuple[PolicyExclusion, ...] = ()


class PolicySearch(NamedTuple):
    """So many of the nearest by meaning, out of these scopes."""

    scopes: tuple[Scope, ...]
    nearest: int


class MemoryPolicy(Protocol):
    """A ranking of memories by their similarity in meaning and what is known of them."""

    @property
    def limit(self) -> int:
        """How many are returned unless another number is asked for."""
        ...

    @property
    def needs_accesses(self) -> bool:
        """Whether it looks at when a memory was last recalled, which is read apart."""
        ...

    def searches(self, scopes: tuple[Scope, ...], limit: int) -> tuple[PolicySearch, ...]:
        """What is looked at, out of the scopes that can be seen."""
        ...

    def choose(self, finds: list[PolicyCandidate], *, limit: int, now: datetime) -> PolicyChoice:
        """At most `limit` of what the searches found."""
        ...


def sort_by_cosine(finds: list[PolicyCandidate]) -> list[PolicyCandidate]:
    """By cosine; equals by id, so that the same question gets the same answer."""
    return sorted(finds, key=lambda find: (-find.cosine, find.id))


def choose_best(scored: list[PolicyScore], limit: int) -> PolicyChoice:
    """The `limit` best, equals in the order given; the others fell out."""
    ranked = sorted(scored, key=lambda one: -one.score)
    return PolicyChoice(
        kept=tuple(ranked[:limit]),
        excluded=tuple(
            PolicyExclusion(one.id, one.score, "beyond_limit") for one in ranked[limit:]
        ),
    )


def exclude_candidates(finds: list[PolicyCandidate], why: str) -> tuple[PolicyExclusion, ...]:
    return tuple(PolicyExclusion(find.id, find.cosine, why) for find in finds)
