"""A consolidator on stores that outlive it, so that processes can crash, stall and be replaced."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Any

from prometheus_client import CollectorRegistry

from palimpsest.contracts.announcements import ChangeSetAnnounced
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.maintenance import RunMaintenance
from palimpsest.contracts.topics import CANDIDATES, CHANGES, Topic
from palimpsest.contracts.vectors import TextVectors
from palimpsest.contracts.writes import ReprojectionRequested
from palimpsest.delivery.stage import Rejection
from palimpsest.domain.change_set import ChangeSet
from palimpsest.domain.clock import Clock
from palimpsest.domain.memory import Memory
from palimpsest.domain.scope import Layout, Scope
from palimpsest.domain.user import Tier, UserSettings
from palimpsest.domain.vectors import EmbeddingModel, SparseVector
from palimpsest.stores.change_sets import ChangeSetStore
from palimpsest.stores.change_sets_memory import InMemoryChangeSets
from palimpsest.stores.change_sets_mongo import MongoChangeSets
from palimpsest.stores.entities import EntityStore, InMemoryEntities
from palimpsest.stores.entities_mongo import MongoEntities
from palimpsest.stores.epochs import EpochStore, InMemoryEpochs, MongoEpochs
from palimpsest.stores.erasures import ErasureStore, InMemoryErasures, MongoErasures
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.memories_memory import InMemoryMemories
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.namespaces import InMemoryNamespaces, MongoNamespaces, NamespaceRegistry
from palimpsest.stores.profiles import (
    InMemoryProfileNeeds,
    InMemoryProfiles,
    ProfileNeeds,
    ProfileStore,
)
from palimpsest.stores.profiles_mongo import MongoProfileNeeds, MongoProfiles
from palimpsest.stores.summaries import InMemorySummaries, SummaryStore
from palimpsest.stores.summaries_mongo import MongoSummaries
from palimpsest.stores.todos import InMemoryTodos, TodoStore
from palimpsest.stores.todos_mongo import MongoTodos
from palimpsest.stores.user_settings import (
    InMemoryUserSettings,
    MongoUserSettings,
    UserSettingsStore,
)
from palimpsest.stores.user_states import CachedUserStates, StoredUserStates
from palimpsest.stores.vector_memory import MemoryVectorStore
from palimpsest.stores.vectors import VectorPoint, VectorStore
from services.consolidator.census import Census
from services.consolidator.commands.reading import CommandReader
from services.consolidator.deriving import Derived
from services.consolidator.entities import KnownEntities
from services.consolidator.erasing import Erasing
from services.consolidator.finishing import Finishing
from services.consolidator.gathering import Gathering
from services.consolidator.maintenance.maintaining import Maintaining
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.profiles import Describing
from services.consolidator.projecting import Projecting
from services.consolidator.questioning import Questioning
from services.consolidator.reconciler import Comparing, Reconciler
from services.consolidator.summaries import SummaryPoints
from services.consolidator.todos import KnownTodos, Reminding
from services.consolidator.writing import Writing

MODEL = EmbeddingModel(name="tiny", dimension=4)
NEAR = 0.999
"""From which cosine of it on two memories may be one."""


def vectors_of(text: str) -> TextVectors:
    numbers = sha256(text.encode()).digest()
    sparse = SparseVector(indices=(numbers[4],), values=(1.0,))
    return TextVectors.pack(MODEL.slug, [float(number) for number in numbers[:4]], sparse)


class Published:
    """What Kafka has taken."""

    def __init__(self) -> None:
        self.events: list[tuple[Topic, Event]] = []

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        self.events += [(topic, event) for event in events]

    @property
    def announced(self) -> list[ChangeSet]:
        return [
            event.change_set
            for topic, event in self.events
            if topic is CHANGES and isinstance(event, ChangeSetAnnounced)
        ]

    def on(self, topic: Topic) -> list[Event]:
        return [event for at, event in self.events if at is topic]

    @property
    def runs(self) -> list[RunMaintenance]:
        return [event for event in self.on(CANDIDATES) if isinstance(event, RunMaintenance)]

    def asked_of_the_embedder(self) -> list[ReprojectionRequested]:
        """What vectors were asked for, as the embedder sends it on."""
        return [
            event.model_copy(
                update={"vectors": tuple(vectors_of(one.text) for one in event.memories)}
            )
            for event in self.on(CANDIDATES)
            if isinstance(event, ReprojectionRequested)
        ]


@dataclass(kw_only=True)
class Stores:
    """What is left when a process is gone."""

    change_sets: ChangeSetStore
    memories: MemoryStore
    settings: UserSettingsStore
    epochs: EpochStore
    namespaces: NamespaceRegistry
    erasures: ErasureStore = field(default_factory=InMemoryErasures)
    todos: TodoStore = field(default_factory=InMemoryTodos)
    profiles: ProfileStore = field(default_factory=InMemoryProfiles)
    needs: ProfileNeeds = field(default_factory=InMemoryProfileNeeds)
    summaries: SummaryStore = field(default_factory=InMemorySummaries)
    entities: EntityStore = field(default_factory=InMemoryEntities)
    vectors: MemoryVectorStore = field(default_factory=lambda: MemoryVectorStore(MODEL))
    published: Published = field(default_factory=Published)

    @classmethod
    def in_memory(cls) -> "Stores":
        return cls(
            change_sets=InMemoryChangeSets(),
            memories=InMemoryMemories(),
            settings=InMemoryUserSettings(),
            epochs=InMemoryEpochs(),
            namespaces=InMemoryNamespaces(layout=Layout.POOLED, model=MODEL.slug),
        )

    @classmethod
    def in_database(cls, database: MongoDatabase, layout: Layout = Layout.POOLED) -> "Stores":
        return cls(
            change_sets=MongoChangeSets(database),
            memories=MongoMemories(database, layout=layout),
            settings=MongoUserSettings(database),
            epochs=MongoEpochs(database),
            namespaces=MongoNamespaces(database, layout=layout, model=MODEL.slug),
            erasures=MongoErasures(database),
            todos=MongoTodos(database),
            summaries=MongoSummaries(database),
            entities=MongoEntities(database),
            profiles=MongoProfiles(database),
            needs=MongoProfileNeeds(database),
        )

    async def listed(self, *scopes: Scope) -> list[Memory]:
        return await self.memories.list(scopes, limit=1000)

    async def state(self, users: Sequence[str]) -> "EndState":
        registered = await self.namespaces.everything()
        memories = [
            memory
            for one in registered
            for memory in await self.memories.page(one.namespace, limit=1000, after=None)
        ]
        history = {
            user_id: [
                (one.revision, one.cause.event_id, one.reason, one.progress)
                for one in await _history(self.change_sets, user_id, memories)
            ]
            for user_id in users
        }
        return EndState(
            memories={memory.id: memory for memory in memories},
            points=dict(self.vectors._points),
            settings=dict(await self.settings.of(users)),
            revisions={
                user_id: head.revision
                for user_id, head in (await self.change_sets.heads(users)).items()
            },
            history=history,
        )


@dataclass(kw_only=True)
class EndState:
    memories: dict[str, Memory]
    points: dict[str, VectorPoint]
    settings: dict[str, UserSettings]
    revisions: dict[str, int]
    history: dict[str, list[Any]]


async def _history(
    change_sets: ChangeSetStore, user_id: str, memories: Sequence[Memory]
) -> list[ChangeSet]:
    found = {
        one.id: one for memory in memories for one in await change_sets.history(user_id, memory.id)
    }
    return sorted(found.values(), key=lambda one: one.revision)


class Consolidator:
    """One process: what it remembers goes with it."""

    def __init__(
        self,
        stores: Any,
        clock: Clock,
        *,
        with_vectors: bool = True,
        tier: Tier = Tier.ENTERPRISE,
        asks: bool = False,
    ) -> None:
        self.registry = CollectorRegistry()
        self.metrics = ConsolidatorMetrics(self.registry)
        users = StoredUserStates(stores.settings, stores.epochs)
        vectors: VectorStore = stores.vectors
        self.projecting = comparing = None
        if with_vectors:
            self.projecting = Projecting(
                vectors,
                memories=stores.memories,
                publisher=stores.published,
                metrics=self.metrics,
                clock=clock,
            )
            comparing = Comparing(
                stores.memories,
                stores.namespaces,
                self.projecting,
                self.metrics,
                Census(stores.settings, self.metrics),
            )
        self.points = None
        if with_vectors:
            self.points = SummaryPoints(
                vectors,
                stores.summaries,
                publisher=stores.published,
                metrics=self.metrics,
                clock=clock,
            )
        self.describing = Describing(
            needs=stores.needs,
            profiles=stores.profiles,
            summaries=stores.summaries,
            todos=stores.todos,
            memories=stores.memories,
            namespaces=stores.namespaces,
            users=users,
            publisher=stores.published,
            clock=clock,
        )
        self.finishing = finishing = Finishing(
            change_sets=stores.change_sets,
            memories=stores.memories,
            settings=stores.settings,
            namespaces=stores.namespaces,
            erasing=Erasing(stores.epochs, stores.erasures, wake=lambda: None, clock=clock),
            projecting=self.projecting,
            derived=Derived(
                stores.todos,
                stores.summaries,
                self.points,
                stores.profiles,
                stores.needs,
                stores.entities,
                publisher=stores.published,
                clock=clock,
            ),
            publisher=stores.published,
            metrics=self.metrics,
        )
        self.questioning = None
        if asks:
            self.questioning = Questioning(
                vectors,
                stores.memories,
                stores.published,
                threshold=NEAR,
                metrics=self.metrics,
                clock=clock,
            )
        self.reminding = Reminding(stores.todos, publisher=stores.published, clock=clock)
        self.writing = Writing(
            users=users,
            recent=CachedUserStates(users, clock=clock),
            change_sets=stores.change_sets,
            memories=stores.memories,
            gathering=Gathering(
                stores.memories,
                stores.namespaces,
                KnownTodos(stores.todos),
                stores.summaries,
                KnownEntities(stores.entities),
                stores.profiles,
            ),
            commands=CommandReader(
                stores.memories,
                stores.namespaces,
                stores.change_sets,
                KnownTodos(stores.todos),
                KnownEntities(stores.entities),
            ),
            maintaining=Maintaining(
                stores.memories,
                KnownTodos(stores.todos),
                vectors if with_vectors else None,
                stores.published,
                tier=tier,
                threshold=NEAR,
                clock=clock,
                asking=stores.namespaces if asks else None,
            ),
            finishing=finishing,
            projecting=self.projecting,
            questioning=self.questioning,
            metrics=self.metrics,
            clock=clock,
        )
        self.comparing = comparing
        self.reconciler = Reconciler(
            users=users,
            change_sets=stores.change_sets,
            memories=stores.memories,
            finishing=finishing,
            comparing=comparing,
            metrics=self.metrics,
            clock=clock,
            interval=timedelta(seconds=30),
            grace=timedelta(minutes=10),
        )

    async def handle(self, *events: Event) -> Sequence[Rejection]:
        rejections = await self.writing.handle(events)
        await self.finishing.noted()
        if self.questioning is not None:
            await self.questioning.over()
        return rejections

    def counted(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(f"palimpsest_consolidator_{name}", labels) or 0.0


class Interrupted:
    """Stores as one process sees them, with something happening around one of its calls."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._around: dict[str, Any] = {}
        self.happened = 0

    def around(self, collaborator: str, method: str, happening: "Happening") -> None:
        async def counted(call: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
            self.happened += 1
            return await happening(call, *arguments)

        self._around[collaborator] = _Around(getattr(self._stores, collaborator), method, counted)

    def __getattr__(self, name: str) -> Any:
        return self._around.get(name) or getattr(self._stores, name)


Happening = Callable[[Callable[..., Awaitable[Any]], Any], Awaitable[Any]]
"""Gets the call and its argument, and decides what becomes of it."""


class _Around:
    def __init__(self, target: Any, method: str, happening: Happening) -> None:
        self._target = target
        self._method = method
        self._happening = happening

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._target, name)
        if name != self._method:
            return method

        async def call(*arguments: Any) -> Any:
            return await self._happening(method, *arguments)

        return call
