"""In-memory twin of the projection for tests: exact cosines and BM25, nothing on disk."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from palimpsest.api.recall import RecordType
from palimpsest.model.scope import Namespace, Scope
from palimpsest.model.vectors import EmbeddingModel, SparseVector, cosine
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.vectors import VectorHit, VectorPoint, VectorQuery, VectorState


class InMemoryVectorStore:
    def __init__(self, model: EmbeddingModel) -> None:
        self._model = model
        self._points: dict[str, VectorPoint] = {}

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    async def open(self) -> None:
        """Do nothing: there is nothing to open."""

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""

    async def check(self) -> None:
        """Do nothing: it is always ready."""

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        for same in vector_schema.group_newest_by_version(points, self._model).values():
            for point in same:
                standing = self._points.get(point.id)
                if standing is None or standing.version < point.version:
                    self._points[point.id] = point

    async def restate(self, states: Sequence[VectorState]) -> set[str]:
        missing: set[str] = set()
        for state in states:
            if not self._stands(state.id, state.scope):
                missing.add(state.id)
            elif self._points[state.id].version < state.version:
                self._points[state.id] = replace(
                    self._points[state.id],
                    version=state.version,
                    status=state.status,
                    kind=state.kind,
                    valid_from=state.valid_from,
                    valid_until=state.valid_until,
                    features=state.features._replace(
                        stated_length=self._points[state.id].features.stated_length
                    ),
                )
        return missing

    async def remove(self, scope_of_ids: Mapping[str, Scope]) -> None:
        for point_id, scope in scope_of_ids.items():
            if self._stands(point_id, scope):
                del self._points[point_id]

    async def drop_emptied(self, namespaces: Collection[Namespace]) -> None:
        """Do nothing: removed points leave nothing behind."""

    async def search(self, query: VectorQuery) -> Sequence[VectorHit]:
        return vector_schema.merge_hits(
            (
                (arm, self._found(arm, query))
                for arm in vector_schema.split_into_retriever_queries(query)
            ),
            limit=query.limit,
        )

    async def search_many(self, queries: Sequence[VectorQuery]) -> Sequence[Sequence[VectorHit]]:
        return [await self.search(query) for query in queries]

    async def versions(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, int]:
        return {
            point_id: self._points[point_id].version
            for point_id, scope in scope_of_ids.items()
            if self._stands(point_id, scope)
        }

    async def dense(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Sequence[float]]:
        return {
            point_id: self._points[point_id].dense
            for point_id, scope in scope_of_ids.items()
            if self._stands(point_id, scope)
        }

    async def terms(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Collection[int]]:
        return {
            point_id: self._points[point_id].sparse.indices
            for point_id, scope in scope_of_ids.items()
            if self._stands(point_id, scope)
        }

    async def begin_replacement(self) -> "InMemoryReplacement":
        return InMemoryReplacement(self)

    @property
    def points(self) -> Mapping[str, VectorPoint]:
        return self._points

    def replace(self, points: Mapping[str, VectorPoint]) -> None:
        self._points = dict(points)

    def _stands(self, point_id: str, scope: Scope) -> bool:
        return point_id in self._points and self._points[point_id].scope == scope

    def _found(
        self, arm: vector_schema.RetrieverQuery, query: VectorQuery
    ) -> Iterator[vector_schema.RetrieverHit]:
        for point in self._points.values():
            if point.scope.namespace != arm.namespace or not _matches(point, query):
                continue
            described = vector_schema.read_hit(
                point.id, vector_schema.build_payload(point), arm.namespace
            )
            if arm.by == "dense":
                yield vector_schema.RetrieverHit(cosine(arm.dense, point.dense), described)
            elif lexical := self._lexical(arm.sparse, point):
                yield vector_schema.RetrieverHit(lexical, described)

    def _lexical(self, query: SparseVector, point: VectorPoint) -> float:
        weights = dict(zip(point.sparse.indices, point.sparse.values, strict=True))
        return sum(
            weight * weights[index] * self._rarity(index, point.scope.namespace)
            for index, weight in zip(query.indices, query.values, strict=True)
            if index in weights
        )

    def _rarity(self, index: int, namespace: Namespace) -> float:
        """Compute a term's inverse document frequency as Qdrant does, within one namespace."""
        corpus = [point for point in self._points.values() if point.scope.namespace == namespace]
        having = sum(1 for point in corpus if index in point.sparse.indices)
        return math.log((len(corpus) - having + 0.5) / (having + 0.5) + 1)


class InMemoryReplacement:
    def __init__(self, store: InMemoryVectorStore) -> None:
        self._store = store
        self._fresh = InMemoryVectorStore(store.model)

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        await self._fresh.upsert(points)

    async def switch(self) -> None:
        self._store.replace(self._fresh.points)

    async def discard(self) -> None:
        """Do nothing: the replacement goes with this object."""


def _matches(point: VectorPoint, query: VectorQuery) -> bool:
    return (
        point.scope in query.scopes
        and point.record in query.records
        and (point.record is RecordType.SUMMARY or point.status in query.statuses)
        and (query.kinds is None or point.kind in query.kinds)
        and (query.ids is None or point.id in query.ids)
        and _within(point.features.at, query)
    )


def _within(at: int | None, query: VectorQuery) -> bool:
    if query.since is None and query.until is None:
        return True
    return (
        at is not None and (query.since or at) <= at and (query.until is None or at < query.until)
    )
