"""Calls to a Qdrant server in its client's terms, and the classification of its errors."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.scope import Scope
from palimpsest.model.vectors import EmbeddingModel, SparseVector
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.vectors import VectorPoint, VectorState

DENSE = "dense"
SPARSE = "sparse"
MODEL_METADATA_KEY = "embedding_model"
"""Key in a collection's metadata that names the model of its vectors."""

POINTS_PER_CALL = 64
"""About 400 KB of JSON at 512 dimensions, which takes well under 50 ms to write."""

_REFUSED_KEY = frozenset({401, 403})
_PASSING = frozenset({408, 429})
"""Transient status codes besides 5xx."""


class CollectionMissing(TransientError):
    """No collection or alias has this name. A writer may create it and try again."""


@contextmanager
def translate_failures() -> Iterator[None]:
    """Translate the client's errors into transient and permanent ones.

    Raises:
        CollectionMissing: 404.
        TransientError: no answer, a time-out, a server in trouble, or a refused key.
        PermanentError: the server refuses the request itself.
    """
    try:
        yield
    except UnexpectedResponse as error:
        status = error.status_code or 500
        if status == 404:
            raise CollectionMissing("Qdrant knows no such collection") from error
        if status in _REFUSED_KEY:
            # A refused key is the operator's matter, not the request's fault.
            raise TransientError(
                f"Qdrant refuses the key ({status}): correct PALIMPSEST_QDRANT_API_KEY"
            ) from error
        if status >= 500 or status in _PASSING:
            raise TransientError(f"Qdrant answered {status}") from error
        raise PermanentError(f"Qdrant refused a request with status {status}") from error
    except ResourceExhaustedResponse as error:
        raise TransientError(
            "Qdrant asks to wait", retry_after_seconds=error.retry_after_s
        ) from error
    except ResponseHandlingException as error:
        raise TransientError(f"Qdrant does not answer: {type(error.source).__name__}") from error
    except ValueError as error:
        # The client's own in-memory server raises this instead of 404.
        if str(error).startswith("Collection") and str(error).endswith("not found"):
            raise CollectionMissing("Qdrant knows no such collection") from error
        raise


def build_query_request(arm: vector_schema.RetrieverQuery, *, pooled: bool) -> models.QueryRequest:
    """Build the request of one arm to the pooled collection, or to a namespace's own.

    Word rarity is counted within the namespace, so that no user's words change another user's scores.
    A namespace's own collection holds nothing else, and has no index of namespaces.
    """
    namespace = [_is(vector_schema.NAMESPACE, arm.namespace.physical_name)] if pooled else []
    by_meaning = arm.by == "dense"
    corpus = models.IdfCorpusParams(corpus=models.Filter(must=[*namespace]))
    return models.QueryRequest(
        query=list(arm.dense) if by_meaning else _sparse(arm.sparse),
        using=DENSE if by_meaning else SPARSE,
        filter=models.Filter(
            must=[
                *namespace,
                *(
                    models.FieldCondition(key=field, match=models.MatchAny(any=list(allowed)))
                    for field, allowed in arm.words.items()
                ),
                *_within(arm),
                *_among(arm),
            ]
        ),
        params=models.SearchParams(idf=corpus) if pooled and not by_meaning else None,
        limit=arm.limit,
        with_payload=vector_schema.RETURNED_FIELDS,
    )


def read_hits(
    response: models.QueryResponse, arm: vector_schema.RetrieverQuery
) -> list[vector_schema.RetrieverHit]:
    return [
        vector_schema.RetrieverHit(
            point.score, vector_schema.read_hit(str(point.id), point.payload or {}, arm.namespace)
        )
        for point in response.points
    ]


def to_point_structs(given: Iterable[VectorPoint]) -> list[models.PointStruct]:
    return [
        models.PointStruct(
            id=point.id,
            vector={DENSE: list(point.dense), SPARSE: _sparse(point.sparse)},
            payload=vector_schema.build_payload(point),
        )
        for point in given
    ]


async def upsert_points(
    client: AsyncQdrantClient, collection: str, points: Sequence[VectorPoint], *, version: int
) -> None:
    """Write points, all of this version, unless the same or a newer version is stored."""
    for part in vector_schema.split_into_slices(points, POINTS_PER_CALL):
        await client.upsert(
            collection,
            to_point_structs(part),
            update_filter=build_older_version_filter(version),
        )


def build_older_version_filter(version: int) -> models.Filter:
    older = models.FieldCondition(key=vector_schema.VERSION, range=models.Range(lt=version))
    return models.Filter(must=[older])


def build_exact_points_filter(ids: Sequence[str], scope: Scope) -> models.Filter:
    """Build a filter for these points within this scope."""
    return models.Filter(
        must=[
            models.HasIdCondition(has_id=list(ids)),
            _is(vector_schema.NAMESPACE, scope.namespace.physical_name),
            _is(vector_schema.PROJECT, vector_schema.encode_project(scope)),
        ]
    )


def build_namespace_filter(name: str) -> models.Filter:
    """Build a filter for the points of a namespace by its physical name."""
    return models.Filter(must=[_is(vector_schema.NAMESPACE, name)])


def build_state_update(state: VectorState) -> models.SetPayloadOperation:
    """Build the update of a point's payload in this scope, if an older version is stored."""
    return models.SetPayloadOperation(
        set_payload=models.SetPayload(
            payload=vector_schema.build_state_payload(state),
            filter=models.Filter(
                must=[
                    build_exact_points_filter([state.id], state.scope),
                    build_older_version_filter(state.version),
                ]
            ),
        )
    )


def read_dense_vector(record: models.Record) -> list[float]:
    """Return the dense vector of a record that was retrieved with it."""
    vectors = record.vector
    assert isinstance(vectors, dict)  # noqa: S101 - every point has two, by name
    return list(vectors[DENSE])  # type: ignore[arg-type]


def read_term_hashes(record: models.Record) -> list[int]:
    """Return the term hashes of a record that was retrieved with its sparse vector."""
    vectors = record.vector
    found = vectors.get(SPARSE) if isinstance(vectors, dict) else None
    return list(found.indices) if isinstance(found, models.SparseVector) else []


def build_dense_parameters(model: EmbeddingModel) -> dict[str, models.VectorParams]:
    return {DENSE: models.VectorParams(size=model.dimension, distance=models.Distance.COSINE)}


def build_sparse_parameters() -> dict[str, models.SparseVectorParams]:
    return {SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)}


def build_collection_options(*, pooled: bool) -> dict[str, Any]:
    """Build the options that differ between the pooled collection and a namespace's own."""
    if pooled:
        # One graph for each tenant, and none over all of them.
        return {"hnsw_config": models.HnswConfigDiff(m=0, payload_m=16)}
    # Term statistics are counted per shard, so a namespace has one shard. Each segment costs memory maps,
    # whose number a process limits: with one segment per core a server aborts at some hundred collections.
    segments = models.OptimizersConfigDiff(default_segment_number=1)
    return {"shard_number": 1, "optimizers_config": segments}


def build_payload_indexes(
    *, pooled: bool
) -> dict[str, models.KeywordIndexParams | models.IntegerIndexParams]:
    """Build the indexes of payload fields; each costs a collection nine memory maps."""
    keyword = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD)
    tenant = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
    version = models.IntegerIndexParams(
        type=models.IntegerIndexType.INTEGER, lookup=False, range=True
    )
    indexes: dict[str, models.KeywordIndexParams | models.IntegerIndexParams] = {}
    indexes |= dict.fromkeys(vector_schema.KEYWORD_FIELDS, keyword)
    indexes |= {vector_schema.NAMESPACE: tenant} if pooled else {}
    return indexes | {vector_schema.VERSION: version}


def _within(arm: vector_schema.RetrieverQuery) -> list[models.FieldCondition]:
    if arm.since is None and arm.until is None:
        return []
    span = models.Range(gte=arm.since, lt=arm.until)
    return [models.FieldCondition(key=vector_schema.AT, range=span)]


def _among(arm: vector_schema.RetrieverQuery) -> list[models.HasIdCondition]:
    return [] if arm.ids is None else [models.HasIdCondition(has_id=sorted(map(str, arm.ids)))]


def _is(field: str, value: str) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchValue(value=value))


def _sparse(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=list(vector.indices), values=list(vector.values))
