"""What is left when a process is gone: the stores, and what Kafka has taken."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from palimpsest.contracts.announcements import ChangeSetAnnounced
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.maintenance import RunMaintenance
from palimpsest.contracts.topics import CANDIDATES, CHANGES, Topic
from palimpsest.contracts.vectors import TextVectors
from palimpsest.contracts.writes import ReprojectionRequested
from palimpsest.domain.change_set import ChangeSet
from palimpsest.domain.memory import Memory
from palimpsest.domain.scope import Layout, Scope
from palimpsest.domain.user import UserSettings
from palimpsest.domain.vectors import EmbeddingModel, SparseVector
from palimpsest.stores.change_sets import ChangeSetStore
from palimpsest.stores.change_sets_memory import InMemoryChangeSets
from palimpsest.stores.completions import CompletionStore, InMemoryCompletions
from palimpsest.stores.entities import EntityStore, InMemoryEntities
from palimpsest.stores.epochs import EpochStore, InMemoryEpochs
from palimpsest.stores.erasures import ErasureStore, InMemoryErasures
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.memories_memory import InMemoryMemories
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.namespaces import InMemoryNamespaces, NamespaceRegistry
from palimpsest.stores.profiles import (
    InMemoryProfileNeeds,
    InMemoryProfiles,
    ProfileNeeds,
    ProfileStore,
)
from palimpsest.stores.summaries import InMemorySummaries, SummaryStore
from palimpsest.stores.todos import InMemoryTodos, TodoStore
from palimpsest.stores.user_settings import (
    InMemoryUserSettings,
    UserSettingsStore,
)
from palimpsest.stores.vector_memory import InMemoryVectorStore
from palimpsest.stores.vectors import VectorPoint
from palimpsest.stores.withheld import InMemoryWithheld, WithheldStore
from services.consolidator.keeping import Keeping

MODEL = EmbeddingModel(name="tiny", dimension=4)


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
    withheld: WithheldStore = field(default_factory=InMemoryWithheld)
    todos: TodoStore = field(default_factory=InMemoryTodos)
    completions: CompletionStore = field(default_factory=InMemoryCompletions)
    profiles: ProfileStore = field(default_factory=InMemoryProfiles)
    needs: ProfileNeeds = field(default_factory=InMemoryProfileNeeds)
    summaries: SummaryStore = field(default_factory=InMemorySummaries)
    entities: EntityStore = field(default_factory=InMemoryEntities)
    vectors: InMemoryVectorStore = field(default_factory=lambda: InMemoryVectorStore(MODEL))
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
        return cls(**vars(Keeping.in_database(database, layout=layout, model=MODEL.slug)))

    async def listed(self, *scopes: Scope) -> list[Memory]:
        return await self.memories.list(scopes, limit=1000)

    async def state(self, users: Sequence[str]) -> "EndState":
        registered = await self.namespaces.everything()
        memories = [
            memory
            for one in registered
            async for page in self.memories.pages(one.namespace, size=1000)
            for memory in page
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
