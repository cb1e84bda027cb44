"""Loads the embedding model while everything else starts; its first users wait for it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.errors import TransientError
from palimpsest.model.vectors import EmbeddableText, EmbeddingModel
from palimpsest_server.embedders.embedder import Embedder, QueryVectors
from palimpsest_server.runtime.configured_models import build_embedder
from palimpsest_server.runtime.settings import Settings
from services.host.service_registry import EMBEDDING_SERVICES


class WarmingEmbedder:
    """An `Embedder` that may be used before it is loaded."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._loading: asyncio.Task[None] | None = None

    @property
    def model(self) -> EmbeddingModel:
        return self._embedder.model

    def begin(self) -> None:
        self._loading = asyncio.create_task(self._embedder.start())

    async def start(self) -> None:
        """Return when the model is loaded.

        Raises:
            TransientError: it could not be loaded, or loading was not begun.
        """
        if self._loading is None:
            raise TransientError("no service of this process embeds: the model is not loaded")
        # A waiter may be cancelled; loading goes on for the others.
        await asyncio.shield(self._loading)

    async def stop(self) -> None:
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)
            await self._embedder.stop()

    async def check(self) -> None:
        if self._loading is None or not self._loading.done():
            raise TransientError("the embedding model is being loaded")
        await self._embedder.check()

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        await self.start()
        return await self._embedder.embed_documents(texts)

    async def embed_query(self, text: str, *, crowded: bool = False) -> QueryVectors:
        await self.start()
        return await self._embedder.embed_query(text, crowded=crowded)


@asynccontextmanager
async def warm_up_embedder(
    settings: Settings, services: Sequence[str]
) -> AsyncIterator[WarmingEmbedder]:
    """Begin to load the model if one of these services embeds, because loading takes the longest.

    Raises:
        PermanentError: the settings name an unknown embedder.
    """
    embedder = WarmingEmbedder(build_embedder(settings))
    if EMBEDDING_SERVICES & set(services):
        embedder.begin()
    try:
        yield embedder
    finally:
        await embedder.stop()
