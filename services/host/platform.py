"""What the services of a process share: opened in order, closed in reverse."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector

from palimpsest.domain.clock import Clock, system_clock
from palimpsest.domain.scope import Layout
from palimpsest.domain.vectors import EmbeddingModel
from palimpsest.providers.embedding import Embedder
from palimpsest.runtime.database import database_of
from palimpsest.runtime.service import Platform
from palimpsest.runtime.settings import Mode, Settings, VectorsBackend
from palimpsest.runtime.tracing import traced_process
from palimpsest.stores.edge_indexing import build_index
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.restored import forgotten_again
from palimpsest.stores.vector_names import without_names
from palimpsest.stores.vectors import ReplaceableVectorStore
from services.host.building import SEARCHING
from services.host.reaching_servers import reached

Say = Callable[[str], None]


def platform_of(
    settings: Settings,
    services: Sequence[str],
    embedder: Embedder,
    clock: Clock = system_clock,
) -> Platform:
    """The platform these services need, nothing of it opened yet."""
    searching = bool(SEARCHING & set(services))
    return Platform(
        settings=settings,
        clock=clock,
        database=database_of(settings),
        embedder=embedder,
        vectors=vector_store(settings, embedder.model, searching=searching),
        registry=_registry(),
    )


def vector_store(
    settings: Settings, model: EmbeddingModel, *, searching: bool
) -> ReplaceableVectorStore | None:
    """By the settings; without names in it where content is encrypted.

    The embedded one belongs to the one process that searches it.
    """
    found = _plain_vector_store(settings, model, searching=searching)
    return found if found is None or settings.encryption_key is None else without_names(found)


def _plain_vector_store(
    settings: Settings, model: EmbeddingModel, *, searching: bool
) -> ReplaceableVectorStore | None:
    match settings.vectors:
        case VectorsBackend.EDGE if searching:
            from palimpsest.stores.vector_edge import EdgeVectorStore  # noqa: PLC0415 - heavy

            return EdgeVectorStore(settings.data_directory, model)
        case VectorsBackend.SERVER:
            from palimpsest.stores.vector_qdrant import (  # noqa: PLC0415 - heavy
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
async def opened(
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
    platform = platform_of(settings, services, embedder, clock)
    async with AsyncExitStack() as stack:
        stack.enter_context(traced_process(settings))
        stack.callback(platform.database.close)
        await _ready(platform.database, settings, say)
        say("the database answers")
        if again := await forgotten_again(platform.database, now=clock()):
            say(f"of {again} users came back what they had forgotten; it goes once more")
        if platform.vectors is not None:
            if settings.vectors is VectorsBackend.EDGE and await build_index(
                settings.data_directory
            ):
                say("the search index of the vectors is built")
            if settings.vectors is VectorsBackend.SERVER:
                await reached(platform.vectors.open, say=say)
            else:
                await platform.vectors.open()
            stack.push_async_callback(platform.vectors.close)
            say("the vectors are open")
        yield platform


async def _ready(database: MongoDatabase, settings: Settings, say: Say) -> None:
    # The embedded one is our own child: where it does not answer, waiting mends nothing.
    if settings.mode is Mode.SERVER:
        await reached(database.ping, say=say)
        await reached(database.ensure_indexes, say=say)
        await reached(database.ensure_keys, say=say)
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
