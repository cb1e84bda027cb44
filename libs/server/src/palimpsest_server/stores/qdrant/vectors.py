"""The projection on a Qdrant server: some namespaces have their own collection, the others share one."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from qdrant_client import AsyncQdrantClient, models

from palimpsest.model.errors import TransientError
from palimpsest.model.scope import Layout, Namespace, Scope
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.qdrant import calls
from palimpsest_server.stores.qdrant.collections import QdrantCollections
from palimpsest_server.stores.qdrant.replacement import QdrantReplacement
from palimpsest_server.stores.vector_layouts import LayoutView, VectorLayout, VectorLayouts
from palimpsest_server.stores.vectors import (
    CollectionHealth,
    VectorHit,
    VectorPoint,
    VectorQuery,
    VectorState,
)

TIMEOUT_SECONDS = 10
MAX_ATTEMPTS = 3
"""Attempts at a call that took so long that namespaces may have been moved meanwhile."""

ResultT = TypeVar("ResultT")
ItemT = TypeVar("ItemT")


def qdrant_client(url: str, api_key: str | None) -> AsyncQdrantClient:
    """Make a client, which sends no request before its first use."""
    return AsyncQdrantClient(
        url=url, api_key=api_key, timeout=TIMEOUT_SECONDS, check_compatibility=False
    )


class QdrantVectorStore:
    """Vectors on a Qdrant server. `prefix` starts every name, so that deployments can share a server."""

    def __init__(
        self,
        client: AsyncQdrantClient,
        model: EmbeddingModel,
        *,
        layouts: VectorLayouts,
        prefix: str = "",
    ) -> None:
        self._client = client
        self._model = model
        self._layouts = layouts
        self.collections = QdrantCollections(client, model, prefix=prefix)

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    async def open(self) -> None:
        await self.collections.check_server()
        serving = await self._serving()
        self.collections.check_models(serving)
        if self._layouts.default is Layout.PER_AGENT:
            names = [
                self.collections.own_name(alias)
                for alias in serving
                if not self.collections.is_pooled(alias)
            ]
            await self._layouts.adopt(names)

    async def close(self) -> None:
        await self._client.close()

    async def check(self) -> None:
        await self.collections.answer()

    async def health(self, *, at_most: int) -> Mapping[str, CollectionHealth]:
        """Return the health of serving collections by alias, at most `at_most` of them.

        Raises:
            TransientError: the server does not answer.
        """
        return await self.collections.health(at_most=at_most)

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        for version, same in vector_schema.group_newest_by_version(points, self._model).items():
            for part in vector_schema.split_into_slices(same, calls.POINTS_PER_CALL):

                async def write(
                    view: LayoutView,
                    part: Sequence[VectorPoint] = part,
                    version: int = version,
                ) -> None:
                    for alias, mine in self._written(part, _point_namespace, view):
                        await self.collections.ensure(alias)
                        with self.collections.using(alias):
                            await calls.upsert_points(self._client, alias, mine, version=version)

                await self._by_layouts(map(_point_namespace, part), write, writing=True)

    async def restate(self, states: Sequence[VectorState]) -> set[str]:
        for part in vector_schema.split_into_slices(states, calls.POINTS_PER_CALL):

            async def write(view: LayoutView, part: Sequence[VectorState] = part) -> None:
                for alias, mine in self._written(part, _state_namespace, view):
                    try:
                        await self.collections.check(alias)
                        with self.collections.using(alias):
                            await self._client.batch_update_points(
                                alias, [calls.build_state_update(state) for state in mine]
                            )
                    except calls.CollectionMissing:
                        continue

            await self._by_layouts(map(_state_namespace, part), write)
        scope_of_ids = {state.id: state.scope for state in states}
        return scope_of_ids.keys() - await self.versions(scope_of_ids)

    async def remove(self, scope_of_ids: Mapping[str, Scope]) -> None:
        for scope, ids in vector_schema.group_ids_by_scope(scope_of_ids).items():
            selector = models.FilterSelector(filter=calls.build_exact_points_filter(ids, scope))
            namespace = scope.namespace

            async def take_away(
                view: LayoutView,
                namespace: Namespace = namespace,
                selector: models.FilterSelector = selector,
            ) -> None:
                for layout in view[namespace].held:
                    alias = self.collections.alias(namespace.physical_name, layout)
                    try:
                        with calls.translate_failures():
                            await self._client.delete(alias, selector)
                    except calls.CollectionMissing:
                        continue

            await self._by_layouts([namespace], take_away)

    async def drop_emptied(self, namespaces: Collection[Namespace]) -> None:
        for namespace in namespaces:
            where = (await self._layouts.of([namespace]))[namespace]
            own = self.collections.alias(namespace.physical_name, Layout.PER_AGENT)
            if where.held == (Layout.PER_AGENT,) and await self.collections.drop(
                own, only_empty=True
            ):
                await self._layouts.release(namespace)

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
        return {
            str(record.id): int((record.payload or {})[vector_schema.VERSION])
            for record in await self._standing(scope_of_ids)
        }

    async def dense(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Sequence[float]]:
        records = await self._standing(scope_of_ids, calls.DENSE)
        return {str(record.id): calls.read_dense_vector(record) for record in records}

    async def terms(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, Collection[int]]:
        records = await self._standing(scope_of_ids, calls.SPARSE)
        return {str(record.id): calls.read_term_hashes(record) for record in records}

    async def begin_replacement(self) -> QdrantReplacement:
        return QdrantReplacement(
            self._client, self._model, self.collections, self._layouts, await self._serving()
        )

    async def _serving(self) -> Mapping[str, str]:
        """Return this deployment's aliases with the collection behind each."""
        serving = await self.collections.serving()
        if self._layouts.default is Layout.PER_AGENT:
            return serving
        # Collections of other deployments on this server may have such names too.
        own = await self._layouts.own()
        return {
            alias: collection
            for alias, collection in serving.items()
            if self.collections.is_pooled(alias) or self.collections.own_name(alias) in own
        }

    async def _found(
        self, arms: Sequence[vector_schema.RetrieverQuery]
    ) -> dict[int, list[vector_schema.RetrieverHit]]:
        """Return the hits of each arm by the arm's identity, with one request per collection."""

        async def ask(view: LayoutView) -> dict[int, list[vector_schema.RetrieverHit]]:
            aliases = self._by_alias(arms, lambda arm: arm.namespace, view, _layout)
            answers = await asyncio.gather(
                *(self._answers(alias, mine) for alias, mine in aliases.items())
            )
            return {
                id(arm): found
                for mine, answer in zip(aliases.values(), answers, strict=True)
                for arm, found in zip(mine, answer, strict=True)
            }

        return await self._by_layouts([arm.namespace for arm in arms], ask)

    async def _answers(
        self, alias: str, arms: Sequence[vector_schema.RetrieverQuery]
    ) -> list[list[vector_schema.RetrieverHit]]:
        pooled = self.collections.is_pooled(alias)
        try:
            await self.collections.check(alias)
            with self.collections.using(alias):
                responses = await self._client.query_batch_points(
                    alias, [calls.build_query_request(arm, pooled=pooled) for arm in arms]
                )
        except calls.CollectionMissing:
            return [[] for _ in arms]
        return [
            calls.read_hits(response, arm) for response, arm in zip(responses, arms, strict=True)
        ]

    async def _standing(
        self, scope_of_ids: Mapping[str, Scope], vector: str | None = None
    ) -> list[models.Record]:
        """Return the points of these ids stored in their scopes, with the named vector or with none."""

        async def ask(view: LayoutView) -> list[models.Record]:
            aliases = self._by_alias(
                scope_of_ids.items(), lambda pair: pair[1].namespace, view, _layout
            )
            answers = await asyncio.gather(
                *(
                    self._records(alias, [point_id for point_id, _ in mine], vector)
                    for alias, mine in aliases.items()
                )
            )
            return [record for records in answers for record in records]

        scopes = scope_of_ids.values()
        return [
            record
            for record in await self._by_layouts([scope.namespace for scope in scopes], ask)
            if vector_schema.is_in_scope(scope_of_ids[str(record.id)], record.payload or {})
        ]

    async def _records(
        self, alias: str, ids: Sequence[str], vector: str | None
    ) -> Sequence[models.Record]:
        try:
            await self.collections.check(alias)
            with self.collections.using(alias):
                return await self._client.retrieve(
                    alias,
                    ids,
                    with_payload=[vector_schema.VERSION, *vector_schema.SCOPE_FIELDS],
                    with_vectors=[vector] if vector else False,
                )
        except calls.CollectionMissing:
            return []

    async def _by_layouts(
        self,
        namespaces: Iterable[Namespace],
        act: Callable[[LayoutView], Awaitable[ResultT]],
        *,
        writing: bool = False,
    ) -> ResultT:
        """Act on namespaces by their layouts, and again if a namespace may have been moved meanwhile."""
        wanted = list(dict.fromkeys(namespaces))
        for _ in range(MAX_ATTEMPTS):
            view = await (self._layouts.assigned if writing else self._layouts.of)(wanted)
            done = await act(view)
            if self._layouts.is_valid(view):
                return done
        raise TransientError("Qdrant takes too long to answer")

    def _written(
        self,
        items: Sequence[ItemT],
        namespace_of: Callable[[ItemT], Namespace],
        view: LayoutView,
    ) -> Iterator[tuple[str, list[ItemT]]]:
        """Yield the items to write by alias; the alias that is read comes before the one copied to."""
        for place in (_layout, _moving_to):
            yield from self._by_alias(items, namespace_of, view, place).items()

    def _by_alias(
        self,
        items: Iterable[ItemT],
        namespace_of: Callable[[ItemT], Namespace],
        view: LayoutView,
        place: Callable[[VectorLayout], Layout | None],
    ) -> dict[str, list[ItemT]]:
        found: dict[str, list[ItemT]] = {}
        for item in items:
            namespace = namespace_of(item)
            if (layout := place(view[namespace])) is not None:
                alias = self.collections.alias(namespace.physical_name, layout)
                found.setdefault(alias, []).append(item)
        return found


def _point_namespace(point: VectorPoint) -> Namespace:
    return point.scope.namespace


def _state_namespace(state: VectorState) -> Namespace:
    return state.scope.namespace


def _layout(where: VectorLayout) -> Layout:
    return where.layout


def _moving_to(where: VectorLayout) -> Layout | None:
    return where.moving_to
