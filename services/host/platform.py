"""What the services of a process share: opened in order, closed in reverse."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector

from palimpsest.domain.clock import system_clock
from palimpsest.domain.scope import Layout
from palimpsest.domain.vectors import EmbeddingModel
from palimpsest.providers.embedders import embedder_named
from palimpsest.providers.embedding import Embedder
from palimpsest.runtime.service import Platform
from palimpsest.runtime.settings import Settings, VectorsBackend
from palimpsest.stores.edge_indexing import build_index
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.vectors import ReplaceableVectorStore
from services.host.building import EMBEDDING, SEARCHING

Say = Callable[[str], None]


@dataclass(frozen=True)
class WarmingEmbedder:
    """A model that is being loaded."""

    embedder: Embedder
    loaded: asyncio.Future[None]


@asynccontextmanager
async def warming_embedder(
    settings: Settings, services: Sequence[str]
) -> AsyncIterator[WarmingEmbedder]:
    """Begin to load the model, where one of these services embeds; it takes the longest.

    Raises:
        PermanentError: the settings name an embedder that is not known.
    """
    embedder = embedder_named(settings.embedder, batch_texts=settings.embedder_batch_texts)
    if not EMBEDDING & set(services):
        nothing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        nothing.set_result(None)
        yield WarmingEmbedder(embedder, nothing)
        return
    loaded = asyncio.ensure_future(embedder.start())
    try:
        yield WarmingEmbedder(embedder, loaded)
    finally:
        loaded.cancel()
        await asyncio.gather(loaded, return_exceptions=True)
        await embedder.stop()


def platform_of(settings: Settings, services: Sequence[str], embedder: Embedder) -> Platform:
    """The platform these services need, nothing of it opened yet."""
    searching = bool(SEARCHING & set(services))
    return Platform(
        settings=settings,
        clock=system_clock,
        database=MongoDatabase(settings.mongodb_url.get_secret_value(), settings.mongodb_database),
        embedder=embedder,
        vectors=vector_store(settings, embedder.model, searching=searching),
        registry=_registry(),
    )


def vector_store(
    settings: Settings, model: EmbeddingModel, *, searching: bool
) -> ReplaceableVectorStore | None:
    """By the settings. The embedded one belongs to the one process that searches it."""
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
    settings: Settings, services: Sequence[str], warming: WarmingEmbedder, *, say: Say
) -> AsyncIterator[Platform]:
    """The database reached and indexed, the vectors open, the model loaded.

    Raises:
        TransientError: something does not answer.
        EmbeddingModelMismatch: the vectors that stand were made by another model.
    """
    platform = platform_of(settings, services, warming.embedder)
    async with AsyncExitStack() as stack:
        stack.callback(platform.database.close)
        await platform.database.ping()
        await platform.database.ensure_indexes()
        say("the database answers")
        if platform.vectors is not None:
            if settings.vectors is VectorsBackend.EDGE and await build_index(
                settings.data_directory
            ):
                say("the search index of the vectors is built")
            await platform.vectors.open()
            stack.push_async_callback(platform.vectors.close)
            say("the vectors are open")
        await warming.loaded
        say(f"the embedding model {platform.embedder.model.name} is loaded")
        yield platform


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry
