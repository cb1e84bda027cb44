"""The platform: what the services of one process share."""

from dataclasses import dataclass
from functools import cached_property

from prometheus_client import CollectorRegistry

from palimpsest.model.clock import Clock
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_language.redaction.redactor import redact
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.delivery.changes_feed import KafkaChangesFeed
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.erasure_worker import ErasureWorker
from palimpsest_server.delivery.event_encryption import EventEncryption
from palimpsest_server.delivery.in_process_feed import InProcessFeed
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.stage_metrics import StageMetrics
from palimpsest_server.delivery.supervisor import RESTART_BACKOFF, Supervisor
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.extraction.local_extractor_pool import LocalExtractorPool
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.runtime.cache_metrics import CacheMetrics
from palimpsest_server.runtime.kafka_settings import build_kafka_settings
from palimpsest_server.runtime.settings import Mode, Settings
from palimpsest_server.stores.access_keys import MongoAccessKeys
from palimpsest_server.stores.cached_user_states import CachedUserStates, StoredUserStates
from palimpsest_server.stores.dead_letters import MongoDeadLetters
from palimpsest_server.stores.decided_erasures import MongoErasures
from palimpsest_server.stores.erasure.dead_letters import DeadLetterEraser
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.vectors import VectorStore


@dataclass(frozen=True, kw_only=True)
class Platform:
    """The platform of one process: opened before its services, shared by them, and closed after them."""

    settings: Settings
    clock: Clock
    database: MongoDatabase
    embedder: Embedder
    vectors: VectorStore | None
    """None under `PALIMPSEST_VECTORS=none`, and in processes that need no vectors."""
    registry: CollectorRegistry
    restart_backoff: Backoff = RESTART_BACKOFF
    """Pauses before a background task that ended is started again."""
    rules: LocalExtractorPool | None = None
    """Rules processes that outlive the services; None if the service that needs one keeps its own."""
    log_generation: int = 0
    """Number of logs that a volatile broker has begun."""

    @cached_property
    def answering_database(self) -> MongoDatabase:
        """The database for reads that a caller waits for, which do not queue behind writes."""
        embedded = self.settings.mode is Mode.EMBEDDED
        return self.database.beside() if embedded else self.database

    @cached_property
    def users(self) -> CachedUserStates:
        """The states of users, with one cache for all services of the process."""
        return CachedUserStates.in_database(
            self.answering_database, clock=self.clock, looked_up=self.caches.of("user states")
        )

    @cached_property
    def stored_users(self) -> UserStates:
        """Return the stored states of users, for readers that need the current state."""
        return StoredUserStates.in_database(self.database)

    @cached_property
    def access(self) -> AccessControl:
        """The access control shared by all services of the process."""
        keys = MongoAccessKeys(self.answering_database)
        return AccessControl(self.settings, keys, self.clock)

    @cached_property
    def caches(self) -> CacheMetrics:
        """The metrics of the process's caches."""
        return CacheMetrics(self.registry)

    @cached_property
    def arrivals(self) -> InProcessFeed | None:
        """The feed between the services of this process, if the broker does not wake waiting readers."""
        return InProcessFeed() if self.settings.mode is Mode.EMBEDDED else None

    @cached_property
    def kafka(self) -> KafkaSettings:
        return build_kafka_settings(
            self.settings, self.arrivals, log_generation=self.log_generation
        )

    @cached_property
    def sealing(self) -> EventEncryption | None:
        """The encryption of events on Kafka; None if content is not encrypted."""
        sealing = self.database.sealing
        return None if sealing is None else EventEncryption(sealing)

    @cached_property
    def changes(self) -> KafkaChangesFeed:
        """The feed of changes, read once for all services of the process because announcements are large."""
        return KafkaChangesFeed(
            self.kafka,
            StageMetrics(self.registry, "changes"),
            self.sealing,
            self.supervise("the feed of changes"),
        )

    @cached_property
    def _opened_buses(self) -> list[Bus]:
        return []

    def open_bus(self, service: str) -> ServiceBus:
        """Build the connection of a service to Kafka; the service starts it."""
        privacy = PrivacyPolicy.of(self.settings.privacy)
        bus = Bus(
            service,
            settings=self.kafka,
            dead_letters=MongoDeadLetters(self.database),
            registry=self.registry,
            clock=self.clock,
            changes=self.changes,
            redact=lambda text: redact(text, privacy).text,
            erasure_worker=ErasureWorker(
                service,
                MongoErasures(self.database),
                [DeadLetterEraser(self.database, service)],
                clock=self.clock,
            ),
            sealing=self.sealing,
            supervisor=self.supervise(f"the bus of {service}"),
        )
        self._opened_buses.append(bus)
        return bus

    def give_up_kafka(self) -> None:
        """Give up a Kafka that has gone for good, at once, before the services are stopped."""
        for bus in self._opened_buses:
            bus.give_up()

    def supervise(self, owner: str) -> Supervisor:
        """Build the supervisor of the background tasks of a service or of a part of it."""
        return Supervisor(owner, backoff=self.restart_backoff)
