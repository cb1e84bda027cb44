"""One embedded Qdrant shard: creation, loading, and calls in its own terms.

Every call holds the interpreter's lock to its end, whatever thread makes it. So calls are short,
and are made in the thread that needs them.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import qdrant_edge as edge

from palimpsest.model.errors import TransientError
from palimpsest.model.vectors import EmbeddingModel, SparseVector
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.vectors import VectorPoint, VectorState

DENSE = "dense"
SPARSE = "sparse"

POINTS_PER_CALL = 256
"""A call takes 7 ms at 512 dimensions; the event loop runs between calls."""


class PointBatch(NamedTuple):
    """Points written by one call, all of one version."""

    version: int
    points: Sequence[VectorPoint]


SEARCH_THREADS = 1
"""A shard has one or two segments and the caller waits, so more threads only spin. With one thread,
both arms of a search take .39 ms of processor instead of .95, and .35 instead of .55 to
answer (10,000 points, two cores); 100,000 points take 14 ms instead of 16, indexed 1.4 and 1.7."""


def create_shard(path: Path, model: EmbeddingModel) -> edge.EdgeShard:
    shard = edge.EdgeShard.create(
        str(path),
        edge.EdgeConfig(
            vectors={
                DENSE: edge.EdgeVectorParams(size=model.dimension, distance=edge.Distance.Cosine)
            },
            sparse_vectors=_sparse_vectors(),
            max_search_threads=SEARCH_THREADS,
            wal_enabled=True,
        ),
    )
    indexes: dict[str, edge.PayloadSchemaParams | edge.PayloadSchemaType] = {
        vector_schema.NAMESPACE: edge.KeywordIndexParams(is_tenant=True),
        vector_schema.VERSION: edge.IntegerIndexParams(lookup=False, range=True),
    }
    indexes |= dict.fromkeys(vector_schema.KEYWORD_FIELDS, edge.PayloadSchemaType.Keyword)
    for field, schema in indexes.items():
        shard.update(edge.UpdateOperation.create_field_index(field, schema))
    return shard


def load_shard(path: Path) -> edge.EdgeShard:
    """Load a shard, with unflushed writes from its log.

    Raises:
        TransientError: another process has it open.
    """
    # This also opens shards made by older versions; options that are not named here stay unchanged.
    config = edge.EdgeConfig(sparse_vectors=_sparse_vectors(), max_search_threads=SEARCH_THREADS)
    try:
        return edge.EdgeShard.load(str(path), config)
    except Exception as error:
        if "WouldBlock" in str(error):
            raise TransientError(f"another process is using the vectors in {path}") from error
        raise


def _sparse_vectors() -> dict[str, edge.EdgeSparseVectorParams]:
    return {SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)}


def count_points(path: Path) -> int:
    """Count the points of a shard that no process has open."""
    shard = load_shard(path)
    count = shard.info().points_count
    shard.close()
    return count


def rewrite_shard(path: Path, fresh: Path, model: EmbeddingModel) -> edge.EdgeShard:
    """Copy the points of a shard that no process has open into a new shard."""
    source, target = load_shard(path), create_shard(fresh, model)
    offset: edge.PointId | None = None
    while True:
        records, offset = source.scroll(
            edge.ScrollRequest(
                offset=offset, limit=POINTS_PER_CALL, with_payload=True, with_vector=True
            )
        )
        copies = [edge.Point(record.id, record.vector or {}, record.payload) for record in records]
        target.update(edge.UpdateOperation.upsert_points(copies))
        if offset is None:
            source.close()
            return target


def batch_points(points: Iterable[VectorPoint], model: EmbeddingModel) -> Iterator[PointBatch]:
    """Yield batches of points to write; of points with equal ids only the newest version is written.

    Raises:
        EmbeddingModelMismatch: a vector does not have the model's number of dimensions.
    """
    for version, same in vector_schema.group_newest_by_version(points, model).items():
        for few in vector_schema.split_into_slices(same, POINTS_PER_CALL):
            yield PointBatch(version, few)


def to_edge_point(point: VectorPoint) -> edge.Point:
    return edge.Point(
        point.id,
        {DENSE: list(point.dense), SPARSE: _sparse(point.sparse)},
        vector_schema.build_payload(point),
    )


def upsert_points(shard: edge.EdgeShard, points: list[edge.Point], version: int) -> None:
    """Write points, all of this version, unless the same or a newer version is stored."""
    condition = edge.Filter(must=[_older_than(version)])
    shard.update(edge.UpdateOperation.upsert_points(points, condition=condition))


def update_point_state(shard: edge.EdgeShard, state: VectorState) -> None:
    """Update the payload of a point in this scope, if an older version is stored."""
    shard.update(
        edge.UpdateOperation.set_payload_by_filter(
            edge.Filter(
                must=[
                    edge.HasIdCondition({UUID(state.id)}),
                    _is(vector_schema.NAMESPACE, state.scope.namespace.physical_name),
                    _is(vector_schema.PROJECT, vector_schema.encode_project(state.scope)),
                    _older_than(state.version),
                ]
            ),
            vector_schema.build_state_payload(state),
        )
    )


def remove_points(shard: edge.EdgeShard, ids: Sequence[str], namespace: str, project: str) -> None:
    shard.update(
        edge.UpdateOperation.delete_points_by_filter(
            edge.Filter(
                must=[
                    edge.HasIdCondition({UUID(point_id) for point_id in ids}),
                    _is(vector_schema.NAMESPACE, namespace),
                    _is(vector_schema.PROJECT, project),
                ]
            )
        )
    )


def build_query_request(arm: vector_schema.RetrieverQuery) -> edge.QueryRequest:
    """Build the request of one arm.

    Word rarity is counted within the namespace, so that no user's words change another user's scores.
    """
    namespace = _is(vector_schema.NAMESPACE, arm.namespace.physical_name)
    by_meaning = arm.by == "dense"
    return edge.QueryRequest(
        query=edge.Query.Nearest(list(arm.dense), using=DENSE)
        if by_meaning
        else edge.Query.Nearest(_sparse(arm.sparse), using=SPARSE),
        filter=edge.Filter(
            must=[
                namespace,
                *(
                    edge.FieldCondition(field, match=edge.MatchAny(list(allowed)))
                    for field, allowed in arm.words.items()
                ),
                *_within(arm),
                *_among(arm),
            ]
        ),
        params=None
        if by_meaning
        else edge.SearchParams(idf=edge.IdfParams(corpus=edge.Filter(must=[namespace]))),
        limit=arm.limit,
        # Payloads come from the cache, which reads each of them once: see `EdgePayloadCache`.
        with_payload=False,
    )


def read_dense_vector(record: edge.Record) -> list[float]:
    """Return the dense vector of a record that was retrieved with its vectors."""
    vectors = record.vector
    assert isinstance(vectors, dict)  # noqa: S101 - every point has two, by name
    return list(vectors[DENSE])  # type: ignore[arg-type]


def read_term_hashes(record: edge.Record) -> list[int]:
    """Return the term hashes of a record that was retrieved with its sparse vector."""
    vectors = record.vector
    found = vectors.get(SPARSE) if isinstance(vectors, dict) else None
    return list(found.indices) if isinstance(found, edge.SparseVector) else []


def _older_than(version: int) -> edge.FieldCondition:
    return edge.FieldCondition(vector_schema.VERSION, range=edge.RangeFloat(lt=version))


def _within(arm: vector_schema.RetrieverQuery) -> list[edge.FieldCondition]:
    if arm.since is None and arm.until is None:
        return []
    return [
        edge.FieldCondition(vector_schema.AT, range=edge.RangeFloat(gte=arm.since, lt=arm.until))
    ]


def _among(arm: vector_schema.RetrieverQuery) -> list[edge.HasIdCondition]:
    return [] if arm.ids is None else [edge.HasIdCondition(set(arm.ids))]


def _is(field: str, value: str) -> edge.FieldCondition:
    return edge.FieldCondition(field, match=edge.MatchValue(value))


def _sparse(vector: SparseVector) -> edge.SparseVector:
    return edge.SparseVector(list(vector.indices), list(vector.values))
