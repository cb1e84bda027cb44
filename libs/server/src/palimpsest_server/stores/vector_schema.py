"""The schema of a point in any Qdrant: payload, filters and merged answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, NoReturn, TypeVar
from uuid import UUID

from palimpsest.api.recall import DEFAULT_RECORD_TYPES, RecordType
from palimpsest.model.errors import EmbeddingModelMismatch
from palimpsest.model.memory import Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest.model.vectors import EmbeddingModel, SparseVector
from palimpsest_server.domain.ranking.ranking_features import RankingFeatures
from palimpsest_server.stores.vectors import VectorHit, VectorPoint, VectorQuery, VectorState

ItemT = TypeVar("ItemT")

NAMESPACE = "namespace"
PROJECT = "project"
RECORD = "record"
STATUS = "status"
KIND = "kind"
VERSION = "version"
SESSION = "session"
SEQUENCE = "sequence"
ABOUT = "about"
SPOKEN = "spoken"
QUOTED = "quoted"
AT = "at"
HELD = "held"
SUCCESSOR = "successor"
CORRECTED = "corrected"

NO_PROJECT = ""
"""Value of the project field without a project. No project id is empty, so none is confused with it."""

EMPTY_SPARSE_VECTOR = SparseVector(indices=(), values=())

KEYWORD_FIELDS = (PROJECT, RECORD, STATUS, KIND)
RETURNED_FIELDS = [
    PROJECT, RECORD, STATUS, SESSION, SEQUENCE, ABOUT, SPOKEN, QUOTED, AT, SUCCESSOR, CORRECTED,
    HELD, VERSION,
]  # fmt: skip
SCOPE_FIELDS = [NAMESPACE, PROJECT]

_RECORDS = {record.value: record for record in RecordType}
_STATUSES = {status.value: status for status in Status}
SUMMARY_STATUS = "summary"
"""Status of a summary's point. Searches for memories and turns, which are nearly all searches,
leave summaries out without another condition."""


@dataclass(frozen=True)
class RetrieverQuery:
    """One request of a query: dense or sparse, within one namespace.

    Each namespace is searched separately in both layouts, because word rarity is counted within a
    namespace.
    """

    by: Literal["dense", "sparse"]
    namespace: Namespace
    words: Mapping[str, tuple[str, ...]]
    """Allowed values of each payload field."""
    limit: int
    since: int | None = None
    until: int | None = None
    ids: frozenset[UUID] | None = None
    """The only points that may be found; None for all."""
    dense: Sequence[float] = ()
    sparse: SparseVector = EMPTY_SPARSE_VECTOR


class RetrieverHit(NamedTuple):
    """A point found by one arm. A tuple, because a search makes 160 of them."""

    score: float
    point: VectorHit
    """The hit without its scores."""


def build_payload(point: VectorPoint) -> dict[str, Any]:
    return {
        NAMESPACE: point.scope.namespace.physical_name,
        PROJECT: encode_project(point.scope),
        RECORD: point.record.value,
        SESSION: point.session_id,
        SEQUENCE: point.sequence,
        SPOKEN: point.features.stated_length,
        **build_state_payload(point),
        **({STATUS: SUMMARY_STATUS} if point.record is RecordType.SUMMARY else {}),
    }


def build_state_payload(state: VectorPoint | VectorState) -> dict[str, Any]:
    """Return the payload fields that change while the text stays. None is written, to replace old values."""
    return {
        VERSION: state.version,
        STATUS: state.status.value,
        KIND: None if state.kind is None else state.kind.value,
        "valid_from": None if state.valid_from is None else state.valid_from.isoformat(),
        "valid_until": None if state.valid_until is None else state.valid_until.isoformat(),
        ABOUT: list(state.features.about),
        QUOTED: list(state.features.quoted),
        AT: state.features.at,
        SUCCESSOR: state.features.successor,
        CORRECTED: list(state.features.corrected),
        HELD: state.features.held and list(state.features.held),
    }


def encode_project(scope: Scope) -> str:
    return NO_PROJECT if scope.project_id is None else scope.project_id


def is_in_scope(scope: Scope, payload: Mapping[str, Any]) -> bool:
    """Return whether a point with this payload is of exactly this scope."""
    place = (payload.get(NAMESPACE), payload.get(PROJECT))
    return place == (scope.namespace.physical_name, encode_project(scope))


def split_into_retriever_queries(query: VectorQuery) -> list[RetrieverQuery]:
    """Return at most two retriever queries for each namespace that the query's scopes touch."""
    projects: dict[Namespace, list[str]] = {}
    for scope in dict.fromkeys(query.scopes):
        projects.setdefault(scope.namespace, []).append(encode_project(scope))
    found: list[RetrieverQuery] = []
    for namespace, allowed in projects.items():
        words = {PROJECT: tuple(allowed), **_words(query)}
        within = (namespace, words, query.limit, query.since, query.until, _read_ids(query.ids))
        if query.dense is not None:
            found.append(RetrieverQuery("dense", *within, dense=query.dense))
        if query.sparse is not None and query.sparse.indices:
            found.append(RetrieverQuery("sparse", *within, sparse=query.sparse))
    return found


def _read_ids(ids: Iterable[str] | None) -> frozenset[UUID] | None:
    """Return the ids that points can have; others are of no record."""
    return None if ids is None else frozenset(filter(None, map(_read_id, ids)))


def _read_id(written: str) -> UUID | None:
    try:
        return UUID(written)
    except ValueError:
        return None


def _words(query: VectorQuery) -> dict[str, tuple[str, ...]]:
    wanted = query.records & DEFAULT_RECORD_TYPES
    statuses = {status.value for status in query.statuses} if wanted else set[str]()
    if RecordType.SUMMARY in query.records:
        statuses.add(SUMMARY_STATUS)
    words: dict[str, tuple[str, ...]] = {STATUS: tuple(sorted(statuses))}
    if wanted and wanted != DEFAULT_RECORD_TYPES:
        # A condition that every point meets would still be checked for every point.
        words[RECORD] = tuple(sorted(query.records))
    if query.kinds is not None:
        words[KIND] = tuple(sorted(query.kinds))
    return words


def group_newest_by_version(
    points: Iterable[VectorPoint], model: EmbeddingModel
) -> dict[int, list[VectorPoint]]:
    """Return points by version; of points with equal ids only the newest version is kept.

    Raises:
        EmbeddingModelMismatch: a vector does not have the model's number of dimensions.
    """
    by_id: dict[str, VectorPoint] = {}
    for point in points:
        if len(point.dense) != model.dimension:
            raise EmbeddingModelMismatch(
                f"a vector of {len(point.dense)} dimensions where {model.name} "
                f"has {model.dimension}"
            )
        standing = by_id.get(point.id)
        if standing is None or standing.version < point.version:
            by_id[point.id] = point
    by_version: dict[int, list[VectorPoint]] = {}
    for point in by_id.values():
        by_version.setdefault(point.version, []).append(point)
    return by_version


def group_ids_by_scope(scope_of_ids: Mapping[str, Scope]) -> dict[Scope, list[str]]:
    ids: dict[Scope, list[str]] = {}
    for point_id, scope in scope_of_ids.items():
        ids.setdefault(scope, []).append(point_id)
    return ids


def merge_hits(
    answers: Iterable[tuple[RetrieverQuery, Iterable[RetrieverHit]]], *, limit: int
) -> list[VectorHit]:
    """Merge the arms' answers by id; each kind of arm is cut to its `limit` best, best cosines first."""
    found: dict[str, list[RetrieverHit]] = {"dense": [], "sparse": []}
    for arm, points in answers:
        found[arm.by] += points
    cosines, lexicals = _best(found["dense"], limit), _best(found["sparse"], limit)
    return [
        _scored(one.point, cosines.get(identity), lexicals.get(identity))
        for identity, one in {**cosines, **lexicals}.items()
    ]


def _best(found: list[RetrieverHit], limit: int) -> dict[str, RetrieverHit]:
    # Equal scores are ordered by id, so that the same question gets the same answer.
    found.sort(key=lambda one: (-one.score, one.point.id))
    return {retriever_query.point.id: retriever_query for retriever_query in found[:limit]}


def _scored(point: VectorHit, near: RetrieverHit | None, alike: RetrieverHit | None) -> VectorHit:
    identity, record, scope, session_id, sequence, _, _, signs, status, version = point
    # By position: a search makes 160 hits, and keyword arguments would double the cost.
    return VectorHit(
        identity,
        record,
        scope,
        session_id,
        sequence,
        None if near is None else near.score,
        None if alike is None else alike.score,
        signs,
        status,
        version,
    )


def read_hit(identity: str, payload: Mapping[str, Any], namespace: Namespace) -> VectorHit:
    """Read a point of this namespace as a hit without scores."""
    found = payload.get
    return VectorHit(
        identity,
        _RECORDS[payload[RECORD]],
        _scope(namespace.user_id, namespace.agent_id, payload[PROJECT]),
        found(SESSION),
        found(SEQUENCE),
        None,
        None,
        RankingFeatures(
            tuple(found(ABOUT) or ()),
            found(SPOKEN) or 0,
            tuple(found(QUOTED) or ()),
            found(AT),
            found(SUCCESSOR),
            tuple(found(CORRECTED) or ()),
            _read_period(found(HELD)),
        ),
        _STATUSES.get(payload[STATUS], Status.ACTIVE),
        found(VERSION),
    )


def _read_period(written: Sequence[int] | None) -> tuple[int, int] | None:
    return (written[0], written[1]) if written else None


@lru_cache(maxsize=1_024)
def _scope(user_id: str, agent_id: str | None, project: str) -> Scope:
    """Return a scope from a cache, because nearly all of a search's hundred hits share one."""
    return Scope.model_construct(user_id=user_id, agent_id=agent_id, project_id=project or None)


def raise_model_mismatch(made_by: str, configured: EmbeddingModel, where: str) -> NoReturn:
    """Raise an error that tells how to handle vectors made by another model.

    Raises:
        EmbeddingModelMismatch: always.
    """
    raise EmbeddingModelMismatch(
        f"the vectors in {where} were made by {made_by}, and {configured.slug} is configured: "
        "set PALIMPSEST_EMBEDDER back, or make them again with `palimpsest reindex`"
    )


def split_into_slices(items: Sequence[ItemT], size: int) -> Iterator[Sequence[ItemT]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
