"""The embedder, wired."""

from collections.abc import Mapping, Sequence

from fastapi import APIRouter

from palimpsest.events.topics import CANDIDATES
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.stores.cached_user_states import StoredUserStates
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from palimpsest_server.stores.mongo.turn_pages import MongoTurnPages
from palimpsest_server.stores.namespaces import MongoNamespaces
from services.embedder.add_vectors import VectorEnricher
from services.embedder.metrics import EmbedderMetrics
from services.embedder.reindex import ReindexSources

NAME = "embedder"


class EmbedderService:
    name = NAME
    routers: Sequence[APIRouter] = ()

    def __init__(self, bus: ServiceBus, embedder: Embedder, embedding: VectorEnricher) -> None:
        self._bus = bus
        self._embedder = embedder
        bus.consume(CANDIDATES, embedding.handle)

    @property
    def checks(self) -> Mapping[str, ReadinessCheck]:
        return {"kafka": self._bus.check, "embedding model": self._embedder.check}

    async def start(self) -> None:
        await self._bus.start()

    async def stop(self) -> None:
        await self._bus.stop()


def build_reindex_sources(platform: Platform) -> ReindexSources:
    """Where `palimpsest reindex` reads the truth."""
    settings, database = platform.settings, platform.database
    return ReindexSources(
        namespaces=MongoNamespaces(
            database, layout=settings.layout, model=platform.embedder.model.slug
        ),
        memories=MongoMemories(database, layout=settings.layout),
        turns=MongoTurnPages(database),
        summaries=MongoSummaries(database),
        users=StoredUserStates.in_database(database),
    )


def build(platform: Platform) -> EmbedderService:
    own_bus = platform.open_bus(NAME)
    embedding = VectorEnricher(
        platform.embedder, own_bus.publisher, EmbedderMetrics(platform.registry)
    )
    return EmbedderService(own_bus, platform.embedder, embedding)
