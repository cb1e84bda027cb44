"""The embedder, wired."""

from collections.abc import Mapping, Sequence

from fastapi import APIRouter

from palimpsest.contracts.topics import CANDIDATES
from palimpsest.delivery.bus import Bus
from palimpsest.providers.embedding import Embedder
from palimpsest.runtime.kafka import bus
from palimpsest.runtime.service import Check, Platform
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.namespaces import MongoNamespaces
from palimpsest.stores.summaries_mongo import MongoSummaries
from palimpsest.stores.turn_pages import MongoTurnPages
from palimpsest.stores.user_states import StoredUserStates
from services.embedder.embedding import Embedding
from services.embedder.metrics import EmbedderMetrics
from services.embedder.reindex import Sources

NAME = "embedder"


class EmbedderService:
    name = NAME
    routers: Sequence[APIRouter] = ()

    def __init__(self, bus: Bus, embedder: Embedder, embedding: Embedding) -> None:
        self._bus = bus
        self._embedder = embedder
        bus.consume(CANDIDATES, embedding.handle)

    @property
    def checks(self) -> Mapping[str, Check]:
        return {"kafka": self._bus.check, "embedding model": self._embedder.check}

    async def start(self) -> None:
        await self._bus.start()

    async def stop(self) -> None:
        await self._bus.stop()


def reindexing(platform: Platform) -> Sources:
    """Where `palimpsest reindex` reads the truth."""
    settings, database = platform.settings, platform.database
    return Sources(
        namespaces=MongoNamespaces(
            database, layout=settings.layout, model=platform.embedder.model.slug
        ),
        memories=MongoMemories(database, layout=settings.layout),
        turns=MongoTurnPages(database),
        summaries=MongoSummaries(database),
        users=StoredUserStates.in_database(database),
    )


def build(platform: Platform) -> EmbedderService:
    own_bus = bus(platform, NAME)
    embedding = Embedding(platform.embedder, own_bus.publisher, EmbedderMetrics(platform.registry))
    return EmbedderService(own_bus, platform.embedder, embedding)
