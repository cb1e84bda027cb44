"""The projection inside this process: one embedded Qdrant shard, a namespace is a tenant in it."""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import qdrant_edge as edge

from palimpsest.domain.errors import TransientError
from palimpsest.domain.scope import Scope
from palimpsest.domain.vectors import EmbeddingModel
from palimpsest.stores import edge_shard
from palimpsest.stores import vector_layout as layout
from palimpsest.stores.edge_directory import EdgeDirectory, Identity
from palimpsest.stores.vectors import VectorHit, VectorPoint, VectorQuery


class EdgeVectorStore:
    """Kept under `data_directory/vectors`, by one process at a time."""

    def __init__(self, data_directory: Path, model: EmbeddingModel) -> None:
        self._directory = EdgeDirectory(data_directory)
        self._model = model
        self._shard: edge.EdgeShard | None = None

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    async def open(self) -> None:
        serving = self._directory.identity()
        if serving is None:
            fresh = self._directory.unused(self._model)
            self._shard = edge_shard.create(self._directory.shard(fresh), self._model)
            self._directory.serve(fresh)
            return
        if serving.model != self._model:
            layout.refuse(serving.model.slug, self._model, str(self._directory.path))
        self._shard = edge_shard.load(self._directory.shard(serving))
        self._directory.clear_outlived()

    async def close(self) -> None:
        if self._shard is not None:
            self._shard.close()
            self._shard = None

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        await _upsert(self._opened(), points, self._model)

    async def remove(self, scope_of_ids: Mapping[str, Scope]) -> None:
        shard = self._opened()
        for scope, ids in layout.by_scope(scope_of_ids).items():
            edge_shard.remove(shard, ids, scope.namespace.physical_name, layout.project_word(scope))

    async def search(self, query: VectorQuery) -> Sequence[VectorHit]:
        return (await self.search_many([query]))[0]

    async def search_many(self, queries: Sequence[VectorQuery]) -> Sequence[Sequence[VectorHit]]:
        asked = [_Asked(query) for query in queries]
        requests = [request for one in asked for request in one.requests]
        if not requests:
            return [[] for _ in asked]
        answers = iter(self._opened().query_batch(edge.QueryBatchRequest(requests)))
        return [one.hits([next(answers) for _ in one.requests]) for one in asked]

    async def versions(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, int]:
        if not scope_of_ids:
            return {}
        fields = [layout.VERSION, layout.NAMESPACE, layout.PROJECT]
        records = self._opened().retrieve(list(scope_of_ids), fields, False)  # noqa: FBT003
        found: dict[str, int] = {}
        for record in records:
            scope, payload = scope_of_ids[str(record.id)], record.payload or {}
            place = (payload.get(layout.NAMESPACE), payload.get(layout.PROJECT))
            if place == (scope.namespace.physical_name, layout.project_word(scope)):
                found[str(record.id)] = int(payload[layout.VERSION])
        return found

    async def begin_replacement(self) -> "EdgeReplacement":
        fresh = self._directory.unused(self._model)
        shard = edge_shard.create(self._directory.shard(fresh), self._model)
        return EdgeReplacement(self._directory, fresh, shard)

    def _opened(self) -> edge.EdgeShard:
        if self._shard is None:
            raise TransientError("the embedded vectors are not open")
        return self._shard


class EdgeReplacement:
    """A second shard beside the one that serves."""

    def __init__(self, directory: EdgeDirectory, identity: Identity, shard: edge.EdgeShard) -> None:
        self._directory = directory
        self._identity = identity
        self._shard = shard

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        await _upsert(self._shard, points, self._identity.model)

    async def switch(self) -> None:
        self._shard.close()
        self._directory.serve(self._identity)
        self._directory.clear_outlived()

    async def discard(self) -> None:
        self._shard.close()
        shutil.rmtree(self._directory.shard(self._identity), ignore_errors=True)


class _Asked:
    """One query as the requests it takes, and their answers as hits."""

    def __init__(self, query: VectorQuery) -> None:
        self._limit = query.limit
        self._arms: list[tuple[str, layout.NamespaceSearch]] = []
        self.requests: list[edge.QueryRequest] = []
        for search in layout.searches(query):
            if query.dense is not None:
                self._arms.append((layout.DENSE, search))
                self.requests.append(edge_shard.dense_request(query.dense, search, query.limit))
            if query.sparse is not None and query.sparse.indices:
                self._arms.append((layout.SPARSE, search))
                self.requests.append(edge_shard.sparse_request(query.sparse, search, query.limit))

    def hits(self, answers: Sequence[Sequence[edge.ScoredPoint]]) -> list[VectorHit]:
        found: dict[str, list[layout.Found]] = {layout.DENSE: [], layout.SPARSE: []}
        for (arm, search), points in zip(self._arms, answers, strict=True):
            found[arm].extend(
                layout.Found(str(point.id), search.namespace, point.score, point.payload or {})
                for point in points
            )
        return layout.merged(found[layout.DENSE], found[layout.SPARSE], limit=self._limit)


async def _upsert(
    shard: edge.EdgeShard, points: Sequence[VectorPoint], model: EmbeddingModel
) -> None:
    for version, same in layout.newest(points, model).items():
        for part in layout.sliced(same, edge_shard.POINTS_PER_CALL):
            edge_shard.upsert(shard, part, version=version)
            await asyncio.sleep(0)
