"""The projection inside this process: one embedded Qdrant shard, with each namespace as a tenant."""

import asyncio
import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from uuid import UUID

import qdrant_edge as edge

from palimpsest.model.errors import TransientError
from palimpsest.model.scope import Namespace, Scope
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.cooperative_iteration import (
    MAX_UNINTERRUPTED_SECONDS,
    iterate_cooperatively,
)
from palimpsest_server.stores.edge import shard as edge_shard
from palimpsest_server.stores.edge.directory import EdgeDirectory, ShardIdentity
from palimpsest_server.stores.edge.payload_cache import EdgePayloadCache
from palimpsest_server.stores.vectors import VectorHit, VectorPoint, VectorQuery, VectorState

STATE_UPDATES_BETWEEN_PAUSES = 64
RETRIEVALS_BETWEEN_PAUSES = 32


class EdgeVectorStore:
    """A vector store under `data_directory/vectors`, open in one process at a time."""

    def __init__(
        self,
        data_directory: Path,
        model: EmbeddingModel,
        *,
        described: EdgePayloadCache | None = None,
        uninterrupted_seconds: float = MAX_UNINTERRUPTED_SECONDS,
    ) -> None:
        """`uninterrupted_seconds` is the time after which making points lets other tasks run."""
        self._uninterrupted_seconds = uninterrupted_seconds
        self._directory = EdgeDirectory(data_directory)
        self._model = model
        self._shard: edge.EdgeShard | None = None
        self._described = described or EdgePayloadCache()
        self._writing = asyncio.Lock()
        """Points are made with pauses; the lock keeps removed points from being written again."""

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    async def open(self) -> None:
        serving = self._directory.check_model(self._model)
        if serving is None:
            fresh = self._directory.unused(self._model)
            self._shard = edge_shard.create_shard(self._directory.shard(fresh), self._model)
            self._directory.serve(fresh)
            return
        self._shard = edge_shard.load_shard(self._directory.shard(serving))
        self._directory.clear_outlived()

    async def close(self) -> None:
        if self._shard is not None:
            self._shard.close()
            self._shard = None
            self._described.clear()

    async def check(self) -> None:
        self._opened()

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        async with self._writing:
            for part in edge_shard.batch_points(points, self._model):
                ready = [
                    edge_shard.to_edge_point(point)
                    async for point in iterate_cooperatively(
                        part.points, maximum_seconds=self._uninterrupted_seconds
                    )
                ]
                # In one step: a payload cached in between would be of the old points.
                self._described.forget(point.id for point in part.points)
                edge_shard.upsert_points(self._opened(), ready, part.version)
                await asyncio.sleep(0)

    async def restate(self, states: Sequence[VectorState]) -> set[str]:
        shard = self._opened()
        for number, state in enumerate(states, start=1):
            self._described.forget([state.id])
            edge_shard.update_point_state(shard, state)
            if number % STATE_UPDATES_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)
        scope_of_ids = {state.id: state.scope for state in states}
        return scope_of_ids.keys() - await self.versions(scope_of_ids)

    async def remove(self, scope_of_ids: Mapping[str, Scope]) -> None:
        async with self._writing:
            for scope, ids in vector_schema.group_ids_by_scope(scope_of_ids).items():
                self._described.forget(ids)
                namespace, project = (
                    scope.namespace.physical_name,
                    vector_schema.encode_project(scope),
                )
                edge_shard.remove_points(self._opened(), ids, namespace, project)

    async def drop_emptied(self, namespaces: Collection[Namespace]) -> None:
        if namespaces:
            self._directory.note_erased()

    async def search(self, query: VectorQuery) -> Sequence[VectorHit]:
        return (await self.search_many([query]))[0]

    async def search_many(self, queries: Sequence[VectorQuery]) -> Sequence[Sequence[VectorHit]]:
        asked = [vector_schema.split_into_retriever_queries(query) for query in queries]
        requests = [edge_shard.build_query_request(arm) for arms in asked for arm in arms]
        if not requests:
            return [[] for _ in queries]
        shard, found = self._opened(), self._described.found
        answers = iter(shard.query_batch(edge.QueryBatchRequest(requests)))
        return [
            vector_schema.merge_hits(
                [(arm, found(shard, arm.namespace, next(answers))) for arm in arms],
                limit=query.limit,
            )
            for query, arms in zip(queries, asked, strict=True)
        ]

    async def versions(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, int]:
        if not scope_of_ids:
            return {}
        fields = [vector_schema.VERSION, vector_schema.NAMESPACE, vector_schema.PROJECT]
        records = self._opened().retrieve(list(scope_of_ids), fields, False)  # noqa: FBT003
        found: dict[str, int] = {}
        for record in records:
            scope, payload = scope_of_ids[str(record.id)], record.payload or {}
            if vector_schema.is_in_scope(scope, payload):
                found[str(record.id)] = int(payload[vector_schema.VERSION])
        return found

    async def dense(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Sequence[float]]:
        found: dict[str, Sequence[float]] = {}
        ids = list(scope_of_ids)
        for start in range(0, len(ids), RETRIEVALS_BETWEEN_PAUSES):
            part: list[int | UUID | str] = [*ids[start : start + RETRIEVALS_BETWEEN_PAUSES]]
            for record in self._opened().retrieve(part, vector_schema.SCOPE_FIELDS, True):  # noqa: FBT003
                scope, payload = scope_of_ids[str(record.id)], record.payload or {}
                if vector_schema.is_in_scope(scope, payload):
                    found[str(record.id)] = edge_shard.read_dense_vector(record)
            await asyncio.sleep(0)
        return found

    async def terms(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Collection[int]]:
        if not scope_of_ids:
            return {}
        records = self._opened().retrieve(
            list(scope_of_ids), vector_schema.SCOPE_FIELDS, [edge_shard.SPARSE]
        )
        return {
            str(record.id): edge_shard.read_term_hashes(record)
            for record in records
            if vector_schema.is_in_scope(scope_of_ids[str(record.id)], record.payload or {})
        }

    async def begin_replacement(self) -> "EdgeReplacement":
        fresh = self._directory.unused(self._model)
        shard = edge_shard.create_shard(self._directory.shard(fresh), self._model)
        return EdgeReplacement(self._directory, fresh, shard)

    def _opened(self) -> edge.EdgeShard:
        if self._shard is None:
            raise TransientError("the embedded vectors are not open")
        return self._shard


class EdgeReplacement:
    """A second shard beside the serving one. Nobody searches it, so it needs no payload cache."""

    def __init__(
        self, directory: EdgeDirectory, identity: ShardIdentity, shard: edge.EdgeShard
    ) -> None:
        self._directory = directory
        self._identity = identity
        self._shard = shard

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        for part in edge_shard.batch_points(points, self._identity.model):
            ready = [
                edge_shard.to_edge_point(point)
                async for point in iterate_cooperatively(part.points)
            ]
            edge_shard.upsert_points(self._shard, ready, part.version)
            await asyncio.sleep(0)

    async def switch(self) -> None:
        self._shard.close()
        self._directory.serve(self._identity)
        self._directory.clear_outlived()

    async def discard(self) -> None:
        self._shard.close()
        shutil.rmtree(self._directory.shard(self._identity), ignore_errors=True)
