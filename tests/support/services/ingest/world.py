"""The surroundings of ingest, and ways for it to die."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, TypeVar, cast

from prometheus_client import CollectorRegistry

from palimpsest.events.conversations import RememberRequested
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.events.topics import CONVERSATIONS, Topic
from palimpsest.events.writes import TurnStored
from palimpsest.model.change_set import change_set_id
from palimpsest.model.errors import TransientError
from palimpsest.model.scope import Scope
from palimpsest.model.turn import turn_id
from palimpsest.model.user import UserSettings, UserState
from palimpsest_language.redaction.policy import (
    SecretHandling,
    SecretKind,
)
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.dead_letters import InMemoryDeadLetters
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.summaries import InMemorySummaries
from palimpsest_server.stores.vectors import VectorStore
from services.ingest.app import IngestTimes, build
from services.ingest.ingest_stores import IngestStores
from tests.support.clock import SettableClock
from tests.support.given_settings import GivenSettings
from tests.support.platform import InMemoryPlatform
from tests.support.services.recall.stand_ins import shared_embedder
from tests.support.stores.accepted_requests import InMemoryAcceptedRequests
from tests.support.stores.sessions import InMemorySessions
from tests.support.stores.turns import InMemoryTurns
from tests.support.stores.windows import InMemoryWindows

EventT = TypeVar("EventT", bound=Event)
PortT = TypeVar("PortT")

SESSION = SessionKey("lin", "s")
GRACE = timedelta(minutes=10)
IDLE = timedelta(minutes=30)
AT_ONCE = IngestTimes(
    session_write_delay=timedelta(), window_mark_delay=timedelta(), request_patience_seconds=0.2
)
LATE = IngestTimes(request_patience_seconds=0.2)


class Log:
    """Kafka, as far as ingest sees it: a publisher, and everything that was ever published."""

    def __init__(self) -> None:
        self.published: list[tuple[Topic, Event]] = []
        self._lost: list[tuple[Topic, Event]] = []
        self.down = False
        self.refused = 0

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        if self.down and events:
            self.refused += 1
            raise TransientError("Kafka is away", retry_after_seconds=2)
        self.published += [(topic, event) for event in events]

    def on(self, topic: Topic) -> list[Event]:
        return [event for each, event in self.published if each is topic]

    def of(self, model: type[EventT], *, lost: bool = False) -> list[EventT]:
        """Whatever ingest published of this kind for those behind it; also what was lost since."""
        everything = [*(self._lost if lost else ()), *self.published]
        behind = (event for topic, event in everything if topic is not CONVERSATIONS)
        return [event for event in behind if isinstance(event, model)]

    @property
    def windows(self) -> list[ExtractionRequested]:
        return self.of(ExtractionRequested)

    def lose(self) -> None:
        """As the embedded broker does when its process ends."""
        self._lost += self.published
        self.published.clear()


class Downstream:
    """Those behind ingest have had done their work on all that is in the log, or on nothing."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.works = True
        self._effects: set[str] = set()

    def work(self) -> None:
        """Whatever is in the log has its effect, for good."""
        if self.works:
            self._effects |= {event.turn.id for event in self._log.of(TurnStored)}
            self._effects |= {event.window_id for event in self._log.windows}
            self._effects |= {
                change_set_id(event.user_id, event.event_id)
                for event in self._log.of(RememberRequested)
            }

    async def versions(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, int]:
        self.work()
        return {each: 1 for each in scope_of_ids if each in self._effects}

    async def known(self, ids: Sequence[str], /) -> set[str]:
        self.work()
        return set(ids) & self._effects


class Users:
    def __init__(self) -> None:
        self.states: dict[str, UserState] = {}

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        return {user_id: self.states.get(user_id, UserState()) for user_id in user_ids}

    def settle(self, user_id: str, *, epoch: int = 0, **settings: Any) -> None:
        self.states[user_id] = UserState(settings=UserSettings(**settings), epoch=epoch)


def in_memory() -> IngestStores:
    """Stores in memory, behind which nothing has had its effect."""
    downstream = Downstream(Log())
    return IngestStores(
        turns=InMemoryTurns(),
        sessions=InMemorySessions(),
        windows=InMemoryWindows(),
        requests=InMemoryAcceptedRequests(),
        summaries=InMemorySummaries(),
        ledger=downstream,
        change_sets=downstream,
        dead_letters=InMemoryDeadLetters(),
    )


@dataclass
class World:
    """The ingest service as it is wired, on stores in memory or in a database.

    Two rounds make a window.
    """

    clock: SettableClock = field(default_factory=SettableClock)
    keeping: IngestStores = field(default_factory=in_memory)
    log: Log = field(default_factory=Log)
    users: Users = field(default_factory=Users)
    rounds: int = 2
    sees_turns: bool = True
    interval: timedelta = timedelta(seconds=30)
    privacy: Mapping[SecretKind, SecretHandling] = field(default_factory=dict)
    late: bool = False
    """Whether marks trail behind, as in the service; then until `flush`."""
    around: Callable[[Any], Any] = lambda port: port
    """Put around each port of the process that is started next."""

    def __post_init__(self) -> None:
        self.downstream = Downstream(self.log)
        self.dead_letters = InMemoryDeadLetters()
        self.registries: list[CollectorRegistry] = []
        self.start()

    @classmethod
    def on(cls, database: MongoDatabase, **more: Any) -> "World":
        return cls(keeping=IngestStores.in_database(database), **more)

    def start(self) -> None:
        """Build a process of ingest, which has nothing in it but what it is given here."""
        self.registry = CollectorRegistry()
        self.registries.append(self.registry)
        settings = GivenSettings(
            extraction_window_rounds=self.rounds,
            extraction_context_messages=3,
            extraction_idle_minutes=IDLE.total_seconds() / 60,
            reconcile_interval_seconds=self.interval.total_seconds(),
            reconcile_grace_seconds=GRACE.total_seconds(),
            privacy=dict(self.privacy),
        )
        platform = InMemoryPlatform(
            settings=settings,
            clock=self.clock,
            embedder=shared_embedder(),
            vectors=cast("VectorStore", self.downstream) if self.sees_turns else None,
            registry=self.registry,
            user_states=self.users,
            publisher=self._port(self.log),
        )
        stores = replace(
            self.keeping,
            turns=self._port(self.keeping.turns),
            sessions=self._port(self.keeping.sessions),
            windows=self._port(self.keeping.windows),
            requests=self._port(self.keeping.requests),
            ledger=self.downstream,
            change_sets=self.downstream,
            dead_letters=self.dead_letters,
        )
        self.service = build(platform, stores=stores, times=LATE if self.late else AT_ONCE)
        self.bus = platform.buses["ingest"]
        self.extracting = self.service.on_demand
        self.accepting = self.service.http_intake
        self.reconciler = self.service.reconciler
        self.idle_sessions = self.service.idle_sessions

    def _port(self, port: PortT) -> PortT:
        return cast("PortT", self.around(port))

    async def hand_over(self, events: Sequence[Event]) -> Sequence[EventRejection]:
        """Hand a batch over as Kafka does."""
        return await self.bus.handlers[CONVERSATIONS](events)

    async def take(self, *events: Event) -> list[str]:
        """Hand a batch over; the reasons of what was rejected."""
        return [
            rejection.error.reason for rejection in await self.bus.handlers[CONVERSATIONS](events)
        ]

    async def flush(self) -> None:
        """Write the marks that trail behind."""
        for buffer in self.service.buffers.values():
            await buffer.flush()

    async def published(self, *numbers: int) -> bool:
        """Whether what follows from these turns of session s is known to have been published."""
        ids = [turn_id("lin", "s", f"m{number}") for number in numbers]
        standing = await self.keeping.turns.standing(ids)
        session = (await self.keeping.sessions.of([SESSION]))[SESSION]
        return all(
            0 < (standing[each].item.sequence or 0) <= session.published_through for each in ids
        )

    async def reconcile(self) -> None:
        """Everything is old enough to be looked at."""
        self.clock.advance(GRACE + timedelta(seconds=1))
        await self.reconciler.look()

    def count(self, name: str, **labels: str) -> float:
        """The sum over all processes that were started."""
        metric = f"palimpsest_ingest_{name}"
        found = (registry.get_sample_value(metric, labels) for registry in self.registries)
        return sum(value or 0.0 for value in found)
