"""New collections beside the serving ones, which replace all of them at once."""

from collections.abc import Mapping, Sequence

from qdrant_client import AsyncQdrantClient

from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.qdrant import calls
from palimpsest_server.stores.qdrant.collections import QdrantCollections
from palimpsest_server.stores.vector_layouts import VectorLayouts
from palimpsest_server.stores.vectors import VectorPoint


class QdrantReplacement:
    """New collections beside the serving ones; each namespace keeps its layout."""

    def __init__(
        self,
        client: AsyncQdrantClient,
        model: EmbeddingModel,
        collections: QdrantCollections,
        layouts: VectorLayouts,
        serving: Mapping[str, str],
    ) -> None:
        self._client = client
        self._model = model
        self._collections = collections
        self._layouts = layouts
        self._serving = serving
        self._made: dict[str, str] = {}

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        view = await self._layouts.assigned([point.scope.namespace for point in points])
        for version, same in vector_schema.group_newest_by_version(points, self._model).items():
            aliases: dict[str, list[VectorPoint]] = {}
            for point in same:
                namespace = point.scope.namespace
                alias = self._collections.alias(namespace.physical_name, view[namespace].layout)
                aliases.setdefault(alias, []).append(point)
            for alias, mine in aliases.items():
                collection = await self._collection(alias)
                with calls.translate_failures():
                    await calls.upsert_points(self._client, collection, mine, version=version)

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
            # An earlier replacement that was never switched left a collection of this name behind.
            await self._collections.delete(collection)
            await self._collections.create(collection, pooled=self._collections.is_pooled(alias))
            self._made[alias] = collection
        return self._made[alias]
