"""Wires the embedder, which adds vectors to texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter

from palimpsest.events.topics import CANDIDATES
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.stores.cached_user_states import StoredUserStates
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from palimpsest_server.stores.mongo.turn_pages import MongoTurnPages
from palimpsest_server.stores.namespaces import MongoNamespaces
from services.embedder.add_vectors import VectorEnricher
from services.embedder.handlers import CandidateHandler
from services.embedder.metrics import EmbedderMetrics
from services.embedder.reindex import ReindexSources

NAME = "embedder"


@dataclass(frozen=True, kw_only=True)
class EmbedderService:
    name = NAME

    bus: ServiceBus
    routers: Sequence[APIRouter] = ()
    checks: Mapping[str, ReadinessCheck]

    async def start(self) -> None:
        await self.bus.start()

    async def stop(self) -> None:
        await self.bus.stop()


def build_reindex_sources(platform: Platform) -> ReindexSources:
    """Open the stores that `palimpsest reindex` reads."""
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
    """Wire the embedder of this process; it stores nothing."""
    bus, embedder = platform.open_bus(NAME), platform.embedder
    enricher = VectorEnricher(embedder, EmbedderMetrics(platform.registry))
    bus.consume(CANDIDATES, CandidateHandler(enricher, bus.publisher).handle)
    return EmbedderService(bus=bus, checks={"kafka": bus.check, "embedding model": embedder.check})
