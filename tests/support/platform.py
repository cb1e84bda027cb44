"""A platform without servers: stores in memory, and a bus that hands over when a test does."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache, cached_property

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.erasure_worker import ErasureWorker
from palimpsest_server.delivery.event_decoder import decode_event
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.recall_responder import RequestAnswerer
from palimpsest_server.delivery.stage import BatchHandler
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.stores.access_keys import AccessKeyStore, InMemoryAccessKeys
from palimpsest_server.stores.cached_user_states import CachedUserStates
from palimpsest_server.stores.decided_erasures import InMemoryErasures
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.user_states import UserStates

ChangeListener = Callable[[ChangeSetAnnounced], Awaitable[None]]

NEVER_CACHED = timedelta()
TWO_SECONDS = timedelta(seconds=2)
IMMEDIATELY = Backoff(first_seconds=0.001, maximum_seconds=0.001)


@cache
def unreachable_database() -> MongoDatabase:
    """A database that nobody may use: whoever reads from it fails. Making a client is slow."""
    return MongoDatabase("mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1", "unreachable")


class InMemoryChanges:
    """What listens to changes; a test announces them."""

    def __init__(self) -> None:
        self._listeners: list[ChangeListener] = []

    def listen(self, listener: ChangeListener) -> None:
        self._listeners.append(listener)

    async def announce(self, event: ChangeSetAnnounced) -> None:
        for listener in self._listeners:
            await listener(event)


class InMemoryRepublisher:
    """Publishes stored events to the stand-in of a bus."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher

    async def publish_again(
        self, topic: Topic, *, key: bytes, value: bytes, headers: Mapping[str, str]
    ) -> None:
        del key, headers
        await self._publisher.publish(topic, [decode_event(topic, value)])


class InMemoryBus:
    """Keeps the handlers of a service, publishes to a stand-in, and has no broker."""

    def __init__(self, service: str, publisher: Publisher, clock: Clock) -> None:
        self.publisher = publisher
        self.republisher = InMemoryRepublisher(publisher)
        self.changes = InMemoryChanges()
        self.supervisor = Supervisor(f"the bus of {service}", backoff=IMMEDIATELY)
        self.erasure_worker = ErasureWorker(service, InMemoryErasures(), [], clock=clock)
        self.handlers: dict[Topic, BatchHandler] = {}
        self.answerer: RequestAnswerer | None = None
        self.dead_letters: list[tuple[str, Event, Exception]] = []

    def consume(
        self, topic: Topic, handle: BatchHandler, *, batch_interval_seconds: float = 0.0
    ) -> None:
        del batch_interval_seconds
        self.handlers[topic] = handle

    def answer(self, handle: RequestAnswerer) -> None:
        self.answerer = handle

    def owns(self, topic: Topic, _user_id: str) -> bool:
        return topic in self.handlers

    async def dead_letter(self, topic: Topic, event: Event, error: Exception) -> None:
        self.dead_letters.append((topic.name, event, error))

    async def start(self) -> None:
        self.supervisor.start("erasures", self.erasure_worker.watch)

    async def stop(self, *, last: Callable[[], Awaitable[None]] | None = None) -> None:
        await self.supervisor.stop()
        if last is not None:
            await last()

    async def check(self) -> None:
        await self.supervisor.check()


class NobodyListens:
    """A publisher whose events go nowhere."""

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None: ...


@dataclass(frozen=True, kw_only=True)
class InMemoryPlatform(Platform):
    """A platform whose users and whose Kafka are stand-ins of a test."""

    database: MongoDatabase = field(default_factory=unreachable_database)
    restart_backoff: Backoff = IMMEDIATELY
    user_states: UserStates
    keys: AccessKeyStore = field(default_factory=InMemoryAccessKeys)
    user_states_lifetime: timedelta = NEVER_CACHED
    publisher: Publisher = field(default_factory=NobodyListens)
    buses: dict[str, InMemoryBus] = field(default_factory=dict)
    """By service, once it is built."""

    @cached_property
    def users(self) -> CachedUserStates:
        return CachedUserStates(
            self.user_states, clock=self.clock, lifetime=self.user_states_lifetime
        )

    @cached_property
    def access(self) -> AccessControl:
        return AccessControl(self.settings, self.keys, self.clock)

    @cached_property
    def stored_users(self) -> UserStates:
        return self.user_states

    def open_bus(self, service: str) -> InMemoryBus:
        return self.buses.setdefault(service, InMemoryBus(service, self.publisher, self.clock))
