"""The projection on a Qdrant server: a collection for each namespace, or one for all."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence

from qdrant_client import AsyncQdrantClient, models

from palimpsest.model.scope import Scope
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.qdrant import calls
from palimpsest_server.stores.qdrant.collections import QdrantCollections
from palimpsest_server.stores.vectors import (
    CollectionHealth,
    VectorHit,
    VectorPoint,
    VectorQuery,
    VectorState,
)

TIMEOUT_SECONDS = 10


def qdrant_client(url: str, api_key: str | None) -> AsyncQdrantClient:
    """A client that asks nothing before it is used."""
    return AsyncQdrantClient(
        url=url, api_key=api_key, timeout=TIMEOUT_SECONDS, check_compatibility=False
    )


class QdrantVectorStore:
    """`prefix` comes before every name, so that several deployments can share a server."""

    def __init__(
        self, client: AsyncQdrantClient, model: EmbeddingModel, *, pooled: bool, prefix: str = ""
    ) -> None:
        self._client = client
        self._model = model
        self._collections = QdrantCollections(client, model, pooled=pooled, prefix=prefix)

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    async def open(self) -> None:
        await self._collections.check_server()

    async def close(self) -> None:
        await self._client.close()

    async def check(self) -> None:
        with calls.translate_failures():
            await self._client.info()

    async def health(self, *, at_most: int) -> Mapping[str, CollectionHealth]:
        """Return the health of serving collections by alias, at most `at_most` of them.

        Raises:
            TransientError: the server does not answer.
        """
        return await self._collections.health(at_most=at_most)

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        for version, same in vector_schema.group_newest_by_version(points, self._model).items():
            for alias, mine in _by_alias(same, self._collections).items():
                await self._collections.ensure(alias)
                with self._collections.using(alias):
                    await _upsert(self._client, alias, mine, version=version)

    async def restate(self, states: Sequence[VectorState]) -> set[str]:
        operations: dict[str, list[models.UpdateOperation]] = {}
        for state in states:
            alias = self._collections.alias(state.scope.namespace)
            operations.setdefault(alias, []).append(calls.build_state_update(state))
        for alias, mine in operations.items():
            try:
                await self._collections.check(alias)
                with self._collections.using(alias):
                    await self._client.batch_update_points(alias, mine)
            except calls.CollectionMissing:
                continue
        scope_of_ids = {state.id: state.scope for state in states}
        return scope_of_ids.keys() - await self.versions(scope_of_ids)

    async def remove(self, scope_of_ids: Mapping[str, Scope]) -> None:
        for scope, ids in vector_schema.group_ids_by_scope(scope_of_ids).items():
            selector = models.FilterSelector(filter=calls.build_exact_points_filter(ids, scope))
            try:
                with calls.translate_failures():
                    await self._client.delete(self._collections.alias(scope.namespace), selector)
            except calls.CollectionMissing:
                continue

    async def search(self, query: VectorQuery) -> Sequence[VectorHit]:
        return (await self.search_many([query]))[0]

    async def search_many(self, queries: Sequence[VectorQuery]) -> Sequence[Sequence[VectorHit]]:
        asked = [vector_schema.split_into_retriever_queries(query) for query in queries]
        found = await self._found([arm for arms in asked for arm in arms])
        return [
            vector_schema.merge_hits([(arm, found[id(arm)]) for arm in arms], limit=query.limit)
            for query, arms in zip(queries, asked, strict=True)
        ]

    async def versions(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, int]:
        aliases: dict[str, list[str]] = {}
        for point_id, scope in scope_of_ids.items():
            aliases.setdefault(self._collections.alias(scope.namespace), []).append(point_id)
        answers = await asyncio.gather(
            *(self._records(alias, ids) for alias, ids in aliases.items())
        )
        found: dict[str, int] = {}
        for record in (record for records in answers for record in records):
            scope, payload = scope_of_ids[str(record.id)], record.payload or {}
            if vector_schema.is_in_scope(scope, payload):
                found[str(record.id)] = int(payload[vector_schema.VERSION])
        return found

    async def dense(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Sequence[float]]:
        records = await self._standing(scope_of_ids, calls.DENSE)
        return {str(record.id): calls.read_dense_vector(record) for record in records}

    async def terms(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Collection[int]]:
        records = await self._standing(scope_of_ids, calls.SPARSE)
        return {str(record.id): calls.read_term_hashes(record) for record in records}

    async def begin_replacement(self) -> "QdrantReplacement":
        return QdrantReplacement(
            self._client, self._model, self._collections, await self._collections.serving()
        )

    async def _found(
        self, arms: Sequence[vector_schema.RetrieverQuery]
    ) -> dict[int, list[vector_schema.RetrieverHit]]:
        """Return the hits of each arm by the arm's identity, with one request per collection."""
        aliases: dict[str, list[vector_schema.RetrieverQuery]] = {}
        for arm in arms:
            aliases.setdefault(self._collections.alias(arm.namespace), []).append(arm)
        answers = await asyncio.gather(
            *(self._answers(alias, mine) for alias, mine in aliases.items())
        )
        return {
            id(arm): found
            for mine, answer in zip(aliases.values(), answers, strict=True)
            for arm, found in zip(mine, answer, strict=True)
        }

    async def _answers(
        self, alias: str, arms: Sequence[vector_schema.RetrieverQuery]
    ) -> list[list[vector_schema.RetrieverHit]]:
        try:
            await self._collections.check(alias)
            with self._collections.using(alias):
                responses = await self._client.query_batch_points(
                    alias, [calls.build_query_request(arm) for arm in arms]
                )
        except calls.CollectionMissing:
            return [[] for _ in arms]
        return [
            calls.read_hits(response, arm) for response, arm in zip(responses, arms, strict=True)
        ]

    async def _standing(
        self, scope_of_ids: Mapping[str, Scope], vector: str
    ) -> list[models.Record]:
        """The points of these ids that stand in their scope, with one of their vectors."""
        aliases: dict[str, list[str]] = {}
        for point_id, scope in scope_of_ids.items():
            aliases.setdefault(self._collections.alias(scope.namespace), []).append(point_id)
        return [
            record
            for alias, ids in aliases.items()
            for record in await self._records(alias, ids, vector=vector)
            if vector_schema.is_in_scope(scope_of_ids[str(record.id)], record.payload or {})
        ]

    async def _records(
        self, alias: str, ids: Sequence[str], *, vector: str | None = None
    ) -> Sequence[models.Record]:
        try:
            await self._collections.check(alias)
            with self._collections.using(alias):
                return await self._client.retrieve(
                    alias,
                    ids,
                    with_payload=[
                        vector_schema.VERSION,
                        vector_schema.NAMESPACE,
                        vector_schema.PROJECT,
                    ],
                    with_vectors=[vector] if vector else False,
                )
        except calls.CollectionMissing:
            return []


class QdrantReplacement:
    """New collections beside those that serve, one for each namespace that has points."""

    def __init__(
        self,
        client: AsyncQdrantClient,
        model: EmbeddingModel,
        collections: QdrantCollections,
        serving: Mapping[str, str],
    ) -> None:
        self._client = client
        self._model = model
        self._collections = collections
        self._serving = serving
        self._made: dict[str, str] = {}

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        for version, same in vector_schema.group_newest_by_version(points, self._model).items():
            for alias, mine in _by_alias(same, self._collections).items():
                collection = await self._collection(alias)
                with calls.translate_failures():
                    await _upsert(self._client, collection, mine, version=version)

    async def switch(self) -> None:
        await self._collections.point(self._made, retire=frozenset(self._serving))
        for alias, outlived in self._serving.items():
            self._collections.forget(alias)
            await self._collections.delete(outlived)

    async def discard(self) -> None:
        for collection in self._made.values():
            await self._collections.delete(collection)

    async def _collection(self, alias: str) -> str:
        if alias not in self._made:
            number = int(self._serving.get(alias, ".0").rpartition(".")[2]) + 1
            collection = f"{alias}.{self._model.slug}.{number}"
            # One by this name was left behind by somebody who never switched.
            await self._collections.delete(collection)
            await self._collections.create(collection)
            self._made[alias] = collection
        return self._made[alias]


async def _upsert(
    client: AsyncQdrantClient, collection: str, points: Sequence[VectorPoint], *, version: int
) -> None:
    for part in vector_schema.split_into_slices(points, calls.POINTS_PER_CALL):
        await client.upsert(
            collection,
            calls.to_point_structs(part),
            update_filter=calls.build_older_version_filter(version),
        )


def _by_alias(
    points: Iterable[VectorPoint], collections: QdrantCollections
) -> dict[str, list[VectorPoint]]:
    found: dict[str, list[VectorPoint]] = {}
    for point in points:
        found.setdefault(collections.alias(point.scope.namespace), []).append(point)
    return found
