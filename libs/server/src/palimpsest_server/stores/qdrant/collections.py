"""The collections on a Qdrant server: their names, their models, and which of them serve.

    user_alice_dev                       an alias, used for reading and writing
    user_alice_dev.usem3-512-1.1         the collection behind it; the last number
                                         rises each time its vectors are made anew

    palimpsest                           the alias of the pooled collection, for all other namespaces

An alias is moved from one collection to the next in one step.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse

from palimpsest.model.errors import PermanentError
from palimpsest.model.scope import Layout
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.qdrant import calls
from palimpsest_server.stores.vectors import CollectionHealth

MINIMUM_SERVER_VERSION = (1, 19)
"""First version that counts words per tenant. Older ones would also ignore version preconditions."""

POOLED_ALIAS = "palimpsest"
_OWN_PREFIXES = ("user_", "h_")
"""Prefixes of the physical names of namespaces."""

_HEALTH = {
    models.CollectionStatus.GREEN: CollectionHealth.WELL,
    models.CollectionStatus.YELLOW: CollectionHealth.BUSY,
    models.CollectionStatus.GREY: CollectionHealth.BUSY,
    models.CollectionStatus.RED: CollectionHealth.BROKEN,
}


class QdrantCollections:
    def __init__(self, client: AsyncQdrantClient, model: EmbeddingModel, *, prefix: str) -> None:
        self._client = client
        self._model = model
        self._prefix = prefix
        self._checked: set[str] = set()
        self._creating: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def alias(self, name: str, layout: Layout) -> str:
        """Return the alias through which the vectors of a namespace are read and written."""
        return self._prefix + (POOLED_ALIAS if layout is Layout.POOLED else name)

    def is_pooled(self, alias: str) -> bool:
        """Return whether the collection behind this alias holds several namespaces."""
        return alias == self._prefix + POOLED_ALIAS

    def own_name(self, alias: str) -> str:
        """Return the physical name of the namespace that owns the collection behind this alias."""
        return alias.removeprefix(self._prefix)

    async def check_server(self) -> None:
        """Refuse a server that is too old.

        Raises:
            PermanentError: the server is too old.
            TransientError: it does not answer.
        """
        with calls.translate_failures():
            version = (await self._client.info()).version
        if tuple(int(part) for part in version.split(".")[:2]) < MINIMUM_SERVER_VERSION:
            needed = ".".join(str(part) for part in MINIMUM_SERVER_VERSION)
            raise PermanentError(f"Qdrant {version} is too old: {needed} or newer is needed")

    def check_models(self, serving: Mapping[str, str]) -> None:
        """Refuse vectors that another model made.

        Raises:
            EmbeddingModelMismatch: another model made the stored vectors.
        """
        for alias, collection in serving.items():
            made_by = collection.removeprefix(alias + ".").rpartition(".")[0]
            if made_by != self._model.slug:
                vector_schema.raise_model_mismatch(made_by, self._model, f"collection {collection}")

    async def answer(self) -> None:
        """Check that the server answers and accepts the key, by a call that needs it."""
        with calls.translate_failures():
            await self._client.get_aliases()

    async def serving(self) -> dict[str, str]:
        """Return this deployment's aliases with the collection behind each."""
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
        return {
            alias: _HEALTH[collection_info.status]
            for alias, collection_info in zip(aliases, found, strict=True)
        }

    async def check(self, alias: str) -> None:
        """Check, once, that the collection behind this alias exists and was made by the configured model.

        Raises:
            CollectionMissing: nothing has been written for this namespace yet.
            EmbeddingModelMismatch: another model made the collection.
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
        """Create the collection behind this alias if there is none."""
        if alias in self._checked:
            return
        async with self._creating[alias]:
            try:
                await self.check(alias)
            except calls.CollectionMissing:
                collection = f"{alias}.{self._model.slug}.1"
                await self.create(collection, pooled=self.is_pooled(alias))
                await self.point({alias: collection})
                self._checked.add(alias)

    def forget(self, alias: str) -> None:
        """Have the collection behind this alias checked again before its next use."""
        self._checked.discard(alias)

    @contextmanager
    def using(self, alias: str) -> Iterator[None]:
        """Translate failures; a collection that has gone since its check is checked again."""
        try:
            with calls.translate_failures():
                yield
        except calls.CollectionMissing:
            self.forget(alias)
            raise

    async def create(self, collection: str, *, pooled: bool) -> None:
        """Create a collection with its indexes, unless another process was faster."""
        with calls.translate_failures():
            if not await self._client.collection_exists(collection):
                await self._create(collection, pooled=pooled)
            for field, schema in calls.build_payload_indexes(pooled=pooled).items():
                await self._client.create_payload_index(collection, field, schema)

    async def _create(self, collection: str, *, pooled: bool) -> None:
        try:
            await self._client.create_collection(
                collection,
                vectors_config=calls.build_dense_parameters(self._model),
                sparse_vectors_config=calls.build_sparse_parameters(),
                on_disk_payload=True,
                metadata={calls.MODEL_METADATA_KEY: self._model.slug},
                **calls.build_collection_options(pooled=pooled),
            )
        except UnexpectedResponse as error:
            if error.status_code != 409:
                raise

    async def point(
        self, collections: dict[str, str], *, retire: frozenset[str] = frozenset()
    ) -> None:
        """Point each alias to its collection and remove the `retire` aliases, in one step."""
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

    async def drop(self, alias: str, *, only_empty: bool = False) -> bool:
        """Delete an alias and the collection behind it; return whether nothing is left of them."""
        collection = (await self.serving()).get(alias)
        if collection is None:
            return True
        if only_empty:
            with calls.translate_failures():
                if (await self._client.count(collection, exact=True)).count:
                    return False
        self.forget(alias)
        # The alias first: a writer in between is refused, and makes a new collection.
        await self.point({}, retire=frozenset({alias}))
        await self.delete(collection)
        return True

    def _ours(self, alias: str) -> bool:
        if not alias.startswith(self._prefix):
            return False
        return self.is_pooled(alias) or self.own_name(alias).startswith(_OWN_PREFIXES)
