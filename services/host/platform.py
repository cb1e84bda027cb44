"""The platform that the services of a process share: opened in order, closed in reverse."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector

from palimpsest.model.clock import Clock, system_clock
from palimpsest.model.scope import Layout
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.runtime.database import open_database
from palimpsest_server.runtime.opentelemetry_tracing import trace_process
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.settings import Mode, Settings, VectorsBackend
from palimpsest_server.stores.edge.search_index import build_index
from palimpsest_server.stores.encryption.nameless_vectors import strip_names
from palimpsest_server.stores.erasure.backup_recovery import reapply_erasures
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.vectors import ReplaceableVectorStore
from services.host.service_registry import SEARCHING_SERVICES
from services.host.wait_for_servers import wait_for_server

Say = Callable[[str], None]


def build_platform(
    settings: Settings,
    services: Sequence[str],
    embedder: Embedder,
    clock: Clock = system_clock,
) -> Platform:
    """The platform these services need, nothing of it opened yet."""
    searching = bool(SEARCHING_SERVICES & set(services))
    return Platform(
        settings=settings,
        clock=clock,
        database=open_database(settings),
        embedder=embedder,
        vectors=build_vector_store(settings, embedder.model, searching=searching),
        registry=_registry(),
    )


def build_vector_store(
    settings: Settings, model: EmbeddingModel, *, searching: bool
) -> ReplaceableVectorStore | None:
    """Build the vector store by the settings; without names in it if content is encrypted.

    The embedded one belongs to the one process that searches it.
    """
    found = _plain_vector_store(settings, model, searching=searching)
    return found if found is None or settings.encryption_key is None else strip_names(found)


def _plain_vector_store(
    settings: Settings, model: EmbeddingModel, *, searching: bool
) -> ReplaceableVectorStore | None:
    match settings.vectors:
        case VectorsBackend.EDGE if searching:
            from palimpsest_server.stores.edge.vectors import EdgeVectorStore  # noqa: PLC0415 - heavy

            return EdgeVectorStore(settings.data_directory, model)
        case VectorsBackend.SERVER:
            from palimpsest_server.stores.qdrant.vectors import (  # noqa: PLC0415 - heavy
                QdrantVectorStore,
                qdrant_client,
            )

            key = settings.qdrant_api_key
            client = qdrant_client(settings.qdrant_url, key.get_secret_value() if key else None)
            pooled = settings.layout is Layout.POOLED
            return QdrantVectorStore(client, model, pooled=pooled)
        case _:
            return None


@asynccontextmanager
async def open_platform(
    settings: Settings,
    services: Sequence[str],
    embedder: Embedder,
    *,
    say: Say,
    clock: Clock = system_clock,
) -> AsyncIterator[Platform]:
    """The database reached and indexed, the vectors open. The embedder is its owner's.

    Servers given by address are waited for, however long it takes them.

    Raises:
        TransientError: what belongs to this process alone does not answer.
        EmbeddingModelMismatch: the vectors that stand were made by another model.
    """
    platform = build_platform(settings, services, embedder, clock)
    async with AsyncExitStack() as stack:
        stack.enter_context(trace_process(settings))
        stack.callback(platform.database.close)
        await _ready(platform.database, settings, say)
        say("the database answers")
        if again := await reapply_erasures(platform.database, now=clock()):
            say(f"of {again} users came back what they had forgotten; it goes once more")
        if platform.vectors is not None:
            if settings.vectors is VectorsBackend.EDGE and await build_index(
                settings.data_directory
            ):
                say("the search index of the vectors is built")
            if settings.vectors is VectorsBackend.SERVER:
                await wait_for_server(platform.vectors.open, say=say)
            else:
                await platform.vectors.open()
            stack.push_async_callback(platform.vectors.close)
            say("the vectors are open")
        yield platform


async def _ready(database: MongoDatabase, settings: Settings, say: Say) -> None:
    # The embedded one is our own child: where it does not answer, waiting mends nothing.
    if settings.mode is Mode.SERVER:
        await wait_for_server(database.ping, say=say)
        await wait_for_server(database.ensure_indexes, say=say)
        await wait_for_server(database.ensure_keys, say=say)
    else:
        await database.ping()
        await database.ensure_indexes()
        await database.ensure_keys()


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry
