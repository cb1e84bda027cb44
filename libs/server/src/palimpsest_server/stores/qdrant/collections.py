"""The collections on a Qdrant server: what they are called, what made them, which of them serve.

    user_alice_dev                       an alias: what is read and written
    user_alice_dev.usem3-512-1.1         the collection behind it; the last number
                                         rises each time its vectors are made anew

Under `pooled` there is one alias for everybody. An alias is moved from one
collection to the next in one step.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse

from palimpsest.model.errors import PermanentError
from palimpsest.model.scope import Namespace
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.qdrant import calls
from palimpsest_server.stores.vectors import CollectionHealth

MINIMUM_SERVER_VERSION = (1, 19)
"""The first that counts words per tenant; older ones would also ignore version preconditions."""

POOLED_ALIAS = "palimpsest"


_HEALTH = {
    models.CollectionStatus.GREEN: CollectionHealth.WELL,
    models.CollectionStatus.YELLOW: CollectionHealth.BUSY,
    models.CollectionStatus.GREY: CollectionHealth.BUSY,
    models.CollectionStatus.RED: CollectionHealth.BROKEN,
}


class QdrantCollections:
    def __init__(
        self, client: AsyncQdrantClient, model: EmbeddingModel, *, pooled: bool, prefix: str
    ) -> None:
        self._client = client
        self._model = model
        self._pooled = pooled
        self._prefix = prefix
        self._checked: set[str] = set()
        self._creating: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def alias(self, namespace: Namespace) -> str:
        return self._prefix + (POOLED_ALIAS if self._pooled else namespace.physical_name)

    async def check_server(self) -> None:
        """Refuse a server too old, and vectors that another model made.

        Raises:
            EmbeddingModelMismatch: another model made what is stored.
            PermanentError: the server is too old.
            TransientError: it does not answer.
        """
        with calls.translate_failures():
            version = (await self._client.info()).version
        if tuple(int(part) for part in version.split(".")[:2]) < MINIMUM_SERVER_VERSION:
            needed = ".".join(str(part) for part in MINIMUM_SERVER_VERSION)
            raise PermanentError(f"Qdrant {version} is too old: {needed} or newer is needed")
        for alias, collection in (await self.serving()).items():
            made_by = collection.removeprefix(alias + ".").rpartition(".")[0]
            if made_by != self._model.slug:
                vector_schema.raise_model_mismatch(made_by, self._model, f"collection {collection}")

    async def serving(self) -> dict[str, str]:
        """Our aliases, and the collection behind each."""
        with calls.translate_failures():
            aliases = (await self._client.get_aliases()).aliases
        return {
            alias.alias_name: alias.collection_name
            for alias in aliases
            if alias.collection_name.startswith(alias.alias_name + ".")
            and self._ours(alias.alias_name)
        }

    async def health(self, *, at_most: int) -> dict[str, CollectionHealth]:
        """Return the health of serving collections by alias, at most `at_most` of them, in order."""
        aliases = sorted(await self.serving())[:at_most]
        with calls.translate_failures():
            found = [await self._client.get_collection(alias) for alias in aliases]
        return {alias: _HEALTH[one.status] for alias, one in zip(aliases, found, strict=True)}

    async def check(self, alias: str) -> None:
        """Return when the collection behind this alias is there and of our model; asked once.

        Raises:
            CollectionMissing: nothing has been written for this namespace yet.
            EmbeddingModelMismatch: another model made it.
        """
        if alias in self._checked:
            return
        with calls.translate_failures():
            config = (await self._client.get_collection(alias)).config
        made_by = str((config.metadata or {}).get(calls.MODEL_METADATA_KEY))
        if made_by != self._model.slug:
            vector_schema.raise_model_mismatch(made_by, self._model, f"collection {alias}")
        self._checked.add(alias)

    async def ensure(self, alias: str) -> None:
        """Create the collection behind this alias where none is."""
        if alias in self._checked:
            return
        async with self._creating[alias]:
            try:
                await self.check(alias)
            except calls.CollectionMissing:
                collection = f"{alias}.{self._model.slug}.1"
                await self.create(collection)
                await self.point({alias: collection})
                self._checked.add(alias)

    def forget(self, alias: str) -> None:
        """Look again before it is used the next time."""
        self._checked.discard(alias)

    @contextmanager
    def using(self, alias: str) -> Iterator[None]:
        """Tell failures; a collection that has gone since it was checked is looked for again."""
        try:
            with calls.translate_failures():
                yield
        except calls.CollectionMissing:
            self.forget(alias)
            raise

    async def create(self, collection: str) -> None:
        """Create it with its indexes; another process may have been faster."""
        with calls.translate_failures():
            if not await self._client.collection_exists(collection):
                await self._create(collection)
            for field, schema in calls.build_payload_indexes().items():
                await self._client.create_payload_index(collection, field, schema)

    async def _create(self, collection: str) -> None:
        try:
            await self._client.create_collection(
                collection,
                vectors_config=calls.build_dense_parameters(self._model),
                sparse_vectors_config=calls.build_sparse_parameters(),
                # One graph for each tenant and none over all of them; and term
                # statistics are taken per shard, so a namespace has one.
                hnsw_config=models.HnswConfigDiff(m=0, payload_m=16) if self._pooled else None,
                shard_number=None if self._pooled else 1,
                metadata={calls.MODEL_METADATA_KEY: self._model.slug},
            )
        except UnexpectedResponse as error:
            if error.status_code != 409:
                raise

    async def point(
        self, collections: dict[str, str], *, retire: frozenset[str] = frozenset()
    ) -> None:
        """Let each alias mean this collection, and take others away, all in one step."""
        operations: list[models.AliasOperations] = [
            models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=alias))
            for alias in sorted(retire)
        ]
        operations += [
            models.CreateAliasOperation(
                create_alias=models.CreateAlias(collection_name=collection, alias_name=alias)
            )
            for alias, collection in collections.items()
        ]
        with calls.translate_failures():
            await self._client.update_collection_aliases(operations)

    async def delete(self, collection: str) -> None:
        with calls.translate_failures():
            await self._client.delete_collection(collection)

    def _ours(self, alias: str) -> bool:
        if not alias.startswith(self._prefix):
            return False
        name = alias.removeprefix(self._prefix)
        return name == POOLED_ALIAS if self._pooled else name.startswith(("user_", "h_"))
