"""The table of vector backends: how the store of each is made, prepared and inspected.

A new backend is a module of `stores` that passes the contract of vector stores, a value of
`VectorsBackend` with the settings that it needs, and a row of `VECTOR_BACKENDS`. The program does not
start while a backend has no row.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from palimpsest_server.stores.encryption.nameless_vectors import strip_names
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.vector_layouts import MongoVectorLayouts
from palimpsest_server.stores.vector_layouts import FixedLayouts, VectorLayouts
from palimpsest_server.stores.vectors import (
    CollectionHealth,
    InspectableVectorStore,
    ReplaceableVectorStore,
)

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

MAXIMUM_INSPECTED_COLLECTIONS = 64
"""Largest number of inspected collections, because each takes a request."""


async def _no_preparation(_: Settings) -> str | None:
    return None


@dataclass(frozen=True, kw_only=True)
class VectorBackendProperties:
    """One row: the properties of a backend. Nothing connects before the store is opened."""

    subject: str
    """Name under which `palimpsest doctor` reports on the backend."""
    is_server: bool
    """True for a server, which every process may use and which is waited for at the start. Otherwise
    only the process that searches uses the backend."""
    settings: tuple[str, ...]
    """Settings with its address and its key, the address first."""
    locate: Callable[[Settings], str]
    """Returns the address or directory of the vectors."""
    create: Callable[[Settings, EmbeddingModel, MongoDatabase], ReplaceableVectorStore]
    inspect: Callable[[Settings, EmbeddingModel], Awaitable[Mapping[str, CollectionHealth]]]
    """Returns the health of its collections by name, at most `MAXIMUM_INSPECTED_COLLECTIONS` of them.
    Raises the errors of opening the store, and changes nothing."""
    prepare: Callable[[Settings], Awaitable[str | None]] = _no_preparation
    """The step before the store is opened; returns words for the log if it did something."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of its settings in the environment."""
        prefix = Settings.model_config["env_prefix"]
        return tuple(f"{prefix}{name}".upper() for name in self.settings)


def _create_edge(
    settings: Settings, model: EmbeddingModel, _database: MongoDatabase
) -> ReplaceableVectorStore:
    from palimpsest_server.stores.edge.vectors import EdgeVectorStore  # noqa: PLC0415 - heavy

    return EdgeVectorStore(settings.data_directory, model)


async def _index_edge(settings: Settings) -> str | None:
    from palimpsest_server.stores.edge.search_index import build_index  # noqa: PLC0415 - heavy

    built = await build_index(settings.data_directory)
    return "the search index of the vectors is built" if built else None


async def _inspect_edge(
    settings: Settings, model: EmbeddingModel
) -> Mapping[str, CollectionHealth]:
    from palimpsest_server.stores.edge.directory import EdgeDirectory  # noqa: PLC0415

    # Another process may have the shard open, so only its identity is read.
    serving = EdgeDirectory(settings.data_directory).check_model(model)
    return {} if serving is None else {serving.shard: CollectionHealth.WELL}


def _create_qdrant(
    settings: Settings, model: EmbeddingModel, database: MongoDatabase
) -> InspectableVectorStore:
    return _build_qdrant_store(settings, model, build_vector_layouts(settings, database))


def build_vector_layouts(settings: Settings, database: MongoDatabase) -> MongoVectorLayouts:
    """Build the record of namespaces with a collection of their own on a Qdrant server."""
    return MongoVectorLayouts(
        database, default=settings.layout, maximum=settings.qdrant_maximum_collections
    )


def build_qdrant_client(settings: Settings) -> "AsyncQdrantClient":
    """Build a client of the configured Qdrant server, without connecting."""
    from palimpsest_server.stores.qdrant.vectors import qdrant_client  # noqa: PLC0415 - heavy

    key = settings.qdrant_api_key
    return qdrant_client(settings.qdrant_url, key.get_secret_value() if key else None)


def _build_qdrant_store(
    settings: Settings, model: EmbeddingModel, layouts: VectorLayouts
) -> InspectableVectorStore:
    from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore  # noqa: PLC0415 - heavy

    return QdrantVectorStore(build_qdrant_client(settings), model, layouts=layouts)


async def _inspect_qdrant(
    settings: Settings, model: EmbeddingModel
) -> Mapping[str, CollectionHealth]:
    return await inspect_server(_build_qdrant_store(settings, model, FixedLayouts(settings.layout)))


async def inspect_server(store: InspectableVectorStore) -> Mapping[str, CollectionHealth]:
    """Open the store of a server, and return the health of its collections."""
    try:
        await store.open()
        return await store.health(at_most=MAXIMUM_INSPECTED_COLLECTIONS)
    finally:
        await store.close()


VECTOR_BACKENDS: Mapping[VectorsBackend, VectorBackendProperties] = {
    VectorsBackend.EDGE: VectorBackendProperties(
        subject="vectors",
        is_server=False,
        settings=("data_directory",),
        locate=lambda settings: str(settings.data_directory / "vectors"),
        create=_create_edge,
        inspect=_inspect_edge,
        prepare=_index_edge,
    ),
    VectorsBackend.QDRANT: VectorBackendProperties(
        subject="Qdrant",
        is_server=True,
        settings=("qdrant_url", "qdrant_api_key"),
        locate=lambda settings: settings.qdrant_url,
        create=_create_qdrant,
        inspect=_inspect_qdrant,
    ),
}


def check_vector_backends(
    backends: Iterable[VectorsBackend], rows: Mapping[VectorsBackend, VectorBackendProperties]
) -> None:
    """Refuse a table that lacks a backend, or names a setting that does not exist.

    Raises:
        RuntimeError: names the backends or the settings.
    """
    if missing := [name for name in backends if name not in rows and name != VectorsBackend.NONE]:
        raise RuntimeError(f"VECTOR_BACKENDS has no row for {', '.join(missing)}")
    named = {name for row in rows.values() for name in row.settings}
    if unknown := sorted(named - Settings.model_fields.keys()):
        raise RuntimeError(f"Settings lacks {', '.join(unknown)}, which VECTOR_BACKENDS names")


check_vector_backends(VectorsBackend, VECTOR_BACKENDS)


def find_vector_backend(settings: Settings) -> VectorBackendProperties | None:
    """Return the row of the configured backend; None if there are no vectors."""
    return VECTOR_BACKENDS.get(settings.vectors)


def build_vector_store(
    settings: Settings, model: EmbeddingModel, database: MongoDatabase, *, searching: bool
) -> ReplaceableVectorStore | None:
    """Build the configured vector store; it omits names of people if content is encrypted.

    Args:
        settings: the backend, and its address.
        model: the model that makes the vectors.
        database: the record of namespaces with a collection of their own.
        searching: whether this process searches. An embedded store is built only for it.
    """
    backend = find_vector_backend(settings)
    if backend is None or not (backend.is_server or searching):
        return None
    store = backend.create(settings, model, database)
    return store if settings.encryption_key is None else strip_names(store)


def describe_server_backends() -> str:
    """Return the variables that choose a backend which several processes can use."""
    return " or ".join(
        f"PALIMPSEST_VECTORS={name} with {row.variables[0]}"
        for name, row in VECTOR_BACKENDS.items()
        if row.is_server
    )
