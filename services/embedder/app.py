"""The embedder, wired."""

from collections.abc import Mapping, Sequence

from fastapi import APIRouter

from palimpsest.contracts.topics import CANDIDATES
from palimpsest.delivery.bus import Bus
from palimpsest.providers.embedding import Embedder
from palimpsest.runtime.kafka import bus
from palimpsest.runtime.service import Check, Platform
from services.embedder.embedding import Embedding
from services.embedder.metrics import EmbedderMetrics

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


def build(platform: Platform) -> EmbedderService:
    kafka = bus(platform, NAME)
    embedding = Embedding(platform.embedder, kafka.publisher, EmbedderMetrics(platform.registry))
    return EmbedderService(kafka, platform.embedder, embedding)
