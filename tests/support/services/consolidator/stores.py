"""All that outlives a process: the stores, and what Kafka has taken."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.envelope import Event
from palimpsest.events.maintenance import RunMaintenance
from palimpsest.events.text_vectors import TextVectors
from palimpsest.events.topics import CANDIDATES, CHANGES, Topic
from palimpsest.events.writes import ReprojectionRequested
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Layout, Scope
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserSettings
from palimpsest.model.vectors import EmbeddableText, EmbeddingModel, SparseVector
from palimpsest_server.embedders.embedder import QueryVectors
from palimpsest_server.stores.change_sets import ChangeSetStore
from palimpsest_server.stores.completions import CompletionStore, InMemoryCompletions
from palimpsest_server.stores.decided_erasures import ErasureStore, InMemoryErasures
from palimpsest_server.stores.entities import EntityStore, InMemoryEntities
from palimpsest_server.stores.epochs import EpochStore, InMemoryEpochs
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.ledger import LedgerReader
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.namespaces import InMemoryNamespaces, NamespaceRegistry
from palimpsest_server.stores.profiles import (
    InMemoryProfileNeeds,
    InMemoryProfiles,
    ProfileNeeds,
    ProfileStore,
)
from palimpsest_server.stores.reports import ReportStore
from palimpsest_server.stores.summaries import InMemorySummaries, SummaryStore
from palimpsest_server.stores.todos import InMemoryTodos, TodoStore
from palimpsest_server.stores.turns import ConfirmedTurnPage, ConfirmedTurns
from palimpsest_server.stores.user_settings import InMemoryUserSettings, UserSettingsStore
from palimpsest_server.stores.vectors import VectorPoint
from palimpsest_server.stores.withheld_messages import InMemoryWithheld, WithheldStore
from services.consolidator.consolidator_stores import ConsolidatorStores
from tests.support.stores.change_sets import InMemoryChangeSets
from tests.support.stores.ledger import InMemoryLedger
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.reports import InMemoryReports

MODEL = EmbeddingModel(name="tiny", dimension=4)


def vectors_of(text: str) -> TextVectors:
    numbers = sha256(text.encode()).digest()
    sparse = SparseVector(indices=(numbers[4],), values=(1.0,))
    return TextVectors.pack(MODEL.slug, [float(number) for number in numbers[:4]], sparse)


class TinyEmbedder:
    """Embeds each text by its hash."""

    model = MODEL

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        return [vectors_of(text.dense) for text in texts]

    async def embed_query(self, text: str, *, crowded: bool = False) -> QueryVectors:
        del crowded
        vectors = vectors_of(text)
        return QueryVectors(dense=vectors.dense_values(), sparse=vectors.sparse())

    async def start(self) -> None: ...

    async def check(self) -> None: ...

    async def stop(self) -> None: ...


class Published:
    """Events that Kafka has taken."""

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
                update={"vectors": tuple(vectors_of(memory.text) for memory in event.memories)}
            )
            for event in self.on(CANDIDATES)
            if isinstance(event, ReprojectionRequested)
        ]


class InMemoryConfirmedTurns:
    """The turns that ingest confirmed, as they are added here."""

    def __init__(self) -> None:
        self.turns: dict[str, Turn] = {}

    async def confirmed(self, *, after: str | None) -> ConfirmedTurnPage:
        later = sorted(turn for turn in self.turns if after is None or turn > after)
        scopes = {one: self.turns[one].scope for one in later[:2]}
        return ConfirmedTurnPage(scopes, later[1] if len(later) > 2 else None)

    async def by_ids(self, ids: Collection[str]) -> Sequence[Turn]:
        return [turn for one, turn in self.turns.items() if one in ids and not turn.withheld]


@dataclass(kw_only=True)
class Stores:
    """All that outlives a process."""

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
    reports: ReportStore = field(default_factory=InMemoryReports)
    ledger: LedgerReader = field(default_factory=InMemoryLedger)
    turns: ConfirmedTurns = field(default_factory=InMemoryConfirmedTurns)
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
        return cls(
            **vars(ConsolidatorStores.in_database(database, layout=layout, model=MODEL.slug))
        )

    async def listed(self, *scopes: Scope) -> list[Memory]:
        return await self.memories.list(scopes, limit=1000)

    async def state(self, users: Sequence[str]) -> "EndState":
        registered = await self.namespaces.everything()
        memories = [
            memory
            for namespace in registered
            async for page in self.memories.pages(namespace.namespace, size=1000)
            for memory in page
        ]
        history = {
            user_id: [
                (
                    change_set.revision,
                    change_set.cause.event_id,
                    change_set.reason,
                    change_set.progress,
                )
                for change_set in await _history(self.change_sets, user_id, memories)
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
        change_set.id: change_set
        for memory in memories
        for change_set in await change_sets.history(user_id, memory.id)
    }
    return sorted(found.values(), key=lambda change_set: change_set.revision)
