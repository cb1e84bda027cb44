"""How a point lies in Qdrant, whichever Qdrant it is: its payload, its filters, its merged answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from palimpsest.contracts.recall import Record
from palimpsest.domain.errors import EmbeddingModelMismatch
from palimpsest.domain.scope import Namespace, Scope
from palimpsest.domain.vectors import EmbeddingModel
from palimpsest.stores.vectors import VectorHit, VectorPoint, VectorQuery

DENSE = "dense"
SPARSE = "sparse"
NAMESPACE = "namespace"
PROJECT = "project"
RECORD = "record"
STATUS = "status"
KIND = "kind"
VERSION = "version"
SESSION = "session"
SEQUENCE = "sequence"

NO_PROJECT = ""
"""No id given by others is empty, so nobody's project can be taken for none."""

FILTERED_BY_WORD = (PROJECT, RECORD, STATUS, KIND)
RETURNED = [PROJECT, RECORD, SESSION, SEQUENCE]


@dataclass(frozen=True)
class NamespaceSearch:
    """The part of a query that concerns one namespace; each word must be one of those given.

    A namespace is searched by itself, for how rare a word is must be counted
    within it: in the `pooled` layout as in the `per_agent` one.
    """

    namespace: Namespace
    words: Mapping[str, tuple[str, ...]]


def payload(point: VectorPoint) -> dict[str, Any]:
    fields: dict[str, Any] = {
        NAMESPACE: point.scope.namespace.physical_name,
        PROJECT: project_word(point.scope),
        RECORD: point.record.value,
        STATUS: point.status.value,
        KIND: None if point.kind is None else point.kind.value,
        VERSION: point.version,
        SESSION: point.session_id,
        SEQUENCE: point.sequence,
        "valid_from": None if point.valid_from is None else point.valid_from.isoformat(),
        "valid_until": None if point.valid_until is None else point.valid_until.isoformat(),
    }
    return {name: value for name, value in fields.items() if value is not None}


def project_word(scope: Scope) -> str:
    return NO_PROJECT if scope.project_id is None else scope.project_id


def searches(query: VectorQuery) -> list[NamespaceSearch]:
    """One search for each namespace that the query's scopes touch."""
    projects: dict[Namespace, list[str]] = {}
    for scope in dict.fromkeys(query.scopes):
        projects.setdefault(scope.namespace, []).append(project_word(scope))
    return [
        NamespaceSearch(namespace, {PROJECT: tuple(found), **_words(query)})
        for namespace, found in projects.items()
    ]


def _words(query: VectorQuery) -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {
        RECORD: tuple(sorted(query.records)),
        STATUS: tuple(sorted(query.statuses)),
    }
    if query.kinds is not None:
        words[KIND] = tuple(sorted(query.kinds))
    return words


def newest(points: Iterable[VectorPoint], model: EmbeddingModel) -> dict[int, list[VectorPoint]]:
    """The points by version; where an id comes twice, only its newest version.

    Raises:
        EmbeddingModelMismatch: a vector has not as many dimensions as the model.
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


def by_scope(scope_of_ids: Mapping[str, Scope]) -> dict[Scope, list[str]]:
    ids: dict[Scope, list[str]] = {}
    for point_id, scope in scope_of_ids.items():
        ids.setdefault(scope, []).append(point_id)
    return ids


@dataclass(frozen=True)
class Found:
    """One point that one arm found in one namespace."""

    id: str
    namespace: Namespace
    score: float
    payload: Mapping[str, Any]


def merged(dense: Iterable[Found], sparse: Iterable[Found], *, limit: int) -> list[VectorHit]:
    """Both arms' answers by id, each cut to its `limit` best, the best cosines first."""
    cosines, lexicals = _best(dense, limit), _best(sparse, limit)
    return [
        _hit(cosines.get(point_id) or lexicals[point_id], cosines, lexicals)
        for point_id in dict.fromkeys([*cosines, *lexicals])
    ]


def _best(found: Iterable[Found], limit: int) -> dict[str, Found]:
    # Equal scores are ordered by id: the same question gets the same answer.
    ordered = sorted(found, key=lambda one: (-one.score, one.id))
    return {one.id: one for one in ordered[:limit]}


def _hit(found: Found, cosines: Mapping[str, Found], lexicals: Mapping[str, Found]) -> VectorHit:
    project = found.payload.get(PROJECT, NO_PROJECT)
    return VectorHit(
        id=found.id,
        record=Record(found.payload[RECORD]),
        scope=Scope(
            user_id=found.namespace.user_id,
            agent_id=found.namespace.agent_id,
            project_id=None if project == NO_PROJECT else project,
        ),
        session_id=found.payload.get(SESSION),
        sequence=found.payload.get(SEQUENCE),
        cosine=cosines[found.id].score if found.id in cosines else None,
        lexical=lexicals[found.id].score if found.id in lexicals else None,
    )


def refuse(made_by: str, configured: EmbeddingModel, where: str) -> NoReturn:
    """Say what to do about vectors that another model made.

    Raises:
        EmbeddingModelMismatch: always.
    """
    raise EmbeddingModelMismatch(
        f"the vectors in {where} were made by {made_by}, and {configured.slug} is configured: "
        "set PALIMPSEST_EMBEDDER back, or make them again with `palimpsest reindex`"
    )


def sliced(points: Sequence[VectorPoint], size: int) -> Iterator[Sequence[VectorPoint]]:
    for start in range(0, len(points), size):
        yield points[start : start + size]
