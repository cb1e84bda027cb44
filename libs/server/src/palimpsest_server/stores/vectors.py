"""The projection: points with a dense and a sparse vector, searchable by either."""

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

    `id` and `version` are those of the memory, turn or summary; a turn's version is always 1. A point is
    written only if none or an older version is stored.
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
    ids: frozenset[str] | None = None
    """The only records that may be found; None for all of these scopes."""
    dense: Sequence[float] | None = None
    sparse: SparseVector | None = None
    since: int | None = None
    """Earliest time of the message or event, in seconds since 1970."""
    until: int | None = None
    """Time before which the message was said or the event happened."""
    limit: int = 50
    """Maximum number of hits for each of the two arms."""


class VectorHit(NamedTuple):
    """A hit with its cosine and its BM25-like score; a score is None if that arm did not find the point."""

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
    """Version of the projected record; None if unknown."""


class VectorStore(Protocol):
    """Dense and sparse vectors of memories and turns. Scopes are exact, never optional."""

    @property
    def model(self) -> EmbeddingModel: ...

    async def open(self) -> None:
        """Connect or load.

        Raises:
            EmbeddingModelMismatch: another model made the stored vectors.
            TransientError: the server does not answer.
        """
        ...

    async def close(self) -> None: ...

    async def check(self) -> None:
        """Check that searches can be answered.

        Raises:
            TransientError: they cannot be answered now; the message says why.
        """
        ...

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        """Write each point, unless the same or a newer version is stored. Durable on return."""
        ...

    async def restate(self, states: Sequence[VectorState]) -> set[str]:
        """Update the payload of points by the same rule of versions; their vectors stay.

        Return the ids without a point in their scope: those need vectors.
        """
        ...

    async def remove(self, scope_of_ids: Mapping[str, Scope]) -> None:
        """Remove points; unknown ids are no error."""
        ...

    async def drop_emptied(self, namespaces: Collection[Namespace]) -> None:
        """Free the storage that only these namespaces used and that holds no more points, on disk too.

        Some of it may stay until the store is opened the next time.
        """
        ...

    async def search(self, query: VectorQuery) -> Sequence[VectorHit]:
        """Search with both arms in one round trip; hits are merged by id."""
        ...

    async def search_many(self, queries: Sequence[VectorQuery]) -> Sequence[Sequence[VectorHit]]:
        """Answer several queries in one round trip."""
        ...

    async def versions(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, int]:
        """Return the stored version of each id; absent ids are left out."""
        ...

    async def dense(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Sequence[float]]:
        """Return the stored dense vector of each id; absent ids are left out."""
        ...

    async def terms(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Collection[int]]:
        """Return the term hashes of each id's sparse vector; absent ids are left out."""
        ...


class CollectionHealth(StrEnum):
    """The health of a separately stored part of a vector store."""

    WELL = "well"
    BUSY = "busy"
    """The part is being indexed or waits for indexing, and serves meanwhile."""
    BROKEN = "broken"
    """Some operations on the part failed for good."""


class VectorReplacement(Protocol):
    """Vectors being made anew beside the serving ones; nobody finds them before the switch."""

    async def upsert(self, points: Sequence[VectorPoint]) -> None: ...

    async def switch(self) -> None:
        """Replace the old vectors by the new ones, all at once, and remove the old."""
        ...

    async def discard(self) -> None:
        """Give up; the old vectors stay."""
        ...


class ReplaceableVectorStore(VectorStore, Protocol):
    async def begin_replacement(self) -> VectorReplacement:
        """Begin an empty projection for this store's model. The store need not be open.

        The old vectors, whatever model made them, serve until the switch.
        """
        ...


class InspectableVectorStore(ReplaceableVectorStore, Protocol):
    """The vector store of a server that reports its health."""

    async def health(self, *, at_most: int) -> Mapping[str, CollectionHealth]:
        """Return the health of serving collections by name, at most `at_most` of them.

        Raises:
            TransientError: the server does not answer.
        """
        ...
