"""The projection: points with a dense and a sparse vector, found again by either."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from palimpsest.api.recall import DEFAULT_RECORD_TYPES, RecordType
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest.model.value_types import Instant
from palimpsest.model.vectors import EmbeddingModel, SparseVector
from palimpsest_server.domain.ranking.ranking_features import NO_FEATURES, RankingFeatures


@dataclass(frozen=True, kw_only=True)
class VectorPoint:
    """The projection of one memory, turn or summary. It is never the truth.

    `id` is the memory's, turn's or summary's id (a uuid), and so is `version`; a
    turn's is always 1. A point is written only where none stands or an older
    version does.
    """

    id: str
    record: RecordType
    scope: Scope
    version: int
    dense: Sequence[float]
    sparse: SparseVector
    status: Status = Status.ACTIVE
    kind: Kind | None = None
    session_id: str | None = None
    sequence: int | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    features: RankingFeatures = NO_FEATURES


@dataclass(frozen=True, kw_only=True)
class VectorState:
    """The new state of a point whose text and vectors stay."""

    id: str
    scope: Scope
    version: int
    status: Status
    kind: Kind | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    features: RankingFeatures = NO_FEATURES


@dataclass(frozen=True, kw_only=True)
class VectorQuery:
    """One question to the projection, over exact scopes of one user."""

    scopes: tuple[Scope, ...]
    records: frozenset[RecordType] = DEFAULT_RECORD_TYPES
    statuses: frozenset[Status] = frozenset({Status.ACTIVE})
    kinds: frozenset[Kind] | None = None
    dense: Sequence[float] | None = None
    sparse: SparseVector | None = None
    since: int | None = None
    """Only what was said or happened from then on, in seconds since 1970."""
    until: int | None = None
    """Only what was said or happened before then."""
    limit: int = 50
    """At most so many for each of the two arms."""


class VectorHit(NamedTuple):
    """A hit: its cosine and its BM25-like score; None where it is not among the best of that arm."""

    id: str
    record: RecordType
    scope: Scope
    session_id: str | None
    sequence: int | None
    cosine: float | None
    lexical: float | None
    features: RankingFeatures
    status: Status = Status.ACTIVE
    version: int | None = None
    """Of what it is projected from; None: not known."""


class VectorStore(Protocol):
    """Dense and sparse vectors of memories and turns. Scopes are exact, never optional."""

    @property
    def model(self) -> EmbeddingModel: ...

    async def open(self) -> None:
        """Connect or load.

        Raises:
            EmbeddingModelMismatch: what is stored was made by another model.
            TransientError: the server does not answer.
        """
        ...

    async def close(self) -> None: ...

    async def check(self) -> None:
        """Return when questions can be answered.

        Raises:
            TransientError: not right now, with why.
        """
        ...

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        """Write each point unless a newer or equal version of it stands. Durable on return."""
        ...

    async def restate(self, states: Sequence[VectorState]) -> set[str]:
        """Update the payload of points by the same rule of versions; their vectors stay.

        Answers the ids for which no point stands in their scope: those need vectors.
        """
        ...

    async def remove(self, scope_of_ids: Mapping[str, Scope]) -> None:
        """Take these points away; ids that are not there are no error."""
        ...

    async def drop_emptied(self, namespaces: Collection[Namespace]) -> None:
        """Give back what these alone had and have no points in any more, on disk too.

        Some of it may last until the store is opened the next time.
        """
        ...

    async def search(self, query: VectorQuery) -> Sequence[VectorHit]:
        """Both arms in one round trip, merged by id."""
        ...

    async def search_many(self, queries: Sequence[VectorQuery]) -> Sequence[Sequence[VectorHit]]:
        """Several questions in one round trip."""
        ...

    async def versions(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, int]:
        """The version that stands for each of these ids; what is absent is left out."""
        ...

    async def dense(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Sequence[float]]:
        """The dense vector that stands for each of these ids; what is absent is left out."""
        ...

    async def terms(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Collection[int]]:
        """The hashes of the terms of each of these ids; what is absent is left out."""
        ...


class CollectionHealth(StrEnum):
    """The health of a part of a vector store that is kept by itself."""

    WELL = "well"
    BUSY = "busy"
    """It is being indexed, or waits for it, and serves meanwhile."""
    BROKEN = "broken"
    """Some of its parts failed and came to no good end."""


class VectorReplacement(Protocol):
    """Vectors being made anew beside those that serve; nobody finds them before the switch."""

    async def upsert(self, points: Sequence[VectorPoint]) -> None: ...

    async def switch(self) -> None:
        """Put the new in the place of the old, at once and as a whole, and remove the old."""
        ...

    async def discard(self) -> None:
        """Give up: the old stay as they were."""
        ...


class ReplaceableVectorStore(VectorStore, Protocol):
    async def begin_replacement(self) -> VectorReplacement:
        """Begin an empty projection for this store's model. The store need not be open.

        What stands, made by whatever model, goes on standing until the switch.
        """
        ...


class InspectableVectorStore(ReplaceableVectorStore, Protocol):
    """The store of a server that tells how it fares."""

    async def health(self, *, at_most: int) -> Mapping[str, CollectionHealth]:
        """Return the health of serving collections by name, at most `at_most` of them.

        Raises:
            TransientError: the server does not answer.
        """
        ...
