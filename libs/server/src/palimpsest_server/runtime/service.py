"""What a service is to whoever runs it, and what it is given."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from fastapi import APIRouter
from prometheus_client import CollectorRegistry

from palimpsest.model.clock import Clock
from palimpsest_server.delivery.changes_feed import KafkaChangesFeed
from palimpsest_server.delivery.event_encryption import EventEncryption
from palimpsest_server.delivery.in_process_feed import InProcessFeed
from palimpsest_server.delivery.stage_metrics import StageMetrics
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.runtime.cache_metrics import CacheMetrics
from palimpsest_server.runtime.kafka_settings import build_kafka_settings
from palimpsest_server.runtime.settings import Mode, Settings
from palimpsest_server.stores.cached_user_states import CachedUserStates
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.vectors import VectorStore

ReadinessCheck = Callable[[], Awaitable[None]]
"""Returns when all is well; raises PalimpsestError with words for people when not."""


@dataclass(frozen=True, kw_only=True)
class Platform:
    """What the services of one process share. Opened before them, closed after them."""

    settings: Settings
    clock: Clock
    database: MongoDatabase
    embedder: Embedder
    vectors: VectorStore | None
    """None under `PALIMPSEST_VECTORS=none`, and in processes that need no vectors."""
    registry: CollectorRegistry

    @cached_property
    def answering_database(self) -> MongoDatabase:
        """For what somebody waits for: past the line of what is being written."""
        embedded = self.settings.mode is Mode.EMBEDDED
        return self.database.beside() if embedded else self.database

    @cached_property
    def users(self) -> CachedUserStates:
        """One memory of what users have settled, for all services of the process."""
        return CachedUserStates.in_database(
            self.answering_database, clock=self.clock, looked_up=self.caches.of("user states")
        )

    @cached_property
    def caches(self) -> CacheMetrics:
        """How often what was asked for was there, of all its services together."""
        return CacheMetrics(self.registry)

    @cached_property
    def arrivals(self) -> InProcessFeed | None:
        """What its services tell each other, where the broker does not."""
        return InProcessFeed() if self.settings.mode is Mode.EMBEDDED else None

    @cached_property
    def sealing(self) -> EventEncryption | None:
        """Of events on Kafka, where content is encrypted."""
        sealing = self.database.sealing
        return None if sealing is None else EventEncryption(sealing)

    @cached_property
    def changes(self) -> KafkaChangesFeed:
        """Read once for all its services: what is announced is large."""
        return KafkaChangesFeed(
            build_kafka_settings(self.settings, self.arrivals),
            StageMetrics(self.registry, "changes"),
            self.sealing,
        )


class Service(Protocol):
    """Each `services.X.app` has `build(platform: Platform) -> Service`, which only wires."""

    @property
    def name(self) -> str: ...

    @property
    def routers(self) -> Sequence[APIRouter]:
        """HTTP routes, mounted before `start`; they answer 503 until the service is ready."""
        ...

    @property
    def checks(self) -> Mapping[str, ReadinessCheck]:
        """What `/readyz` and `palimpsest doctor` ask: name of the thing, and the check."""
        ...

    async def start(self) -> None:
        """Join Kafka and begin. Several services are started at once."""
        ...

    async def stop(self) -> None:
        """Finish what is in hand, leave the groups, release everything. Never raises."""
        ...
