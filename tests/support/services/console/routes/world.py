"""The surroundings of the console: stores, a log, and one writer at the end of it."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from palimpsest.api.command_requests import DataInventoryCounts
from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.commands import ForgetMemory, SetSettings
from palimpsest.events.envelope import Event
from palimpsest.events.topics import CANDIDATES, Topic
from palimpsest.model.change_set import (
    Cause,
    Change,
    ChangeSet,
    ChangeSetProgress,
    MemoryChange,
    SettingsChange,
    change_set_id,
)
from palimpsest.model.erasure import PendingErasure
from palimpsest.model.errors import TransientError
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, MemorySource, Status
from palimpsest.model.scope import Layout, Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest.model.user import Tier, UserSettings, UserState
from palimpsest.model.window import Window
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from palimpsest_server.stores.access_keys import InMemoryAccessKeys
from palimpsest_server.stores.change_sets import ChangeSetStore, DecidedChangeSet
from palimpsest_server.stores.commands import CommandStore, InMemoryCommands, MongoCommands
from palimpsest_server.stores.data_inventory import DataInventory
from palimpsest_server.stores.dead_letters import DeadLetter, InMemoryDeadLetters
from palimpsest_server.stores.decided_erasures import ErasureStore, InMemoryErasures
from palimpsest_server.stores.entities import EntityStore, InMemoryEntities
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.namespaces import InMemoryNamespaces, NamespaceRegistry
from palimpsest_server.stores.profiles import InMemoryProfiles
from palimpsest_server.stores.recall_traces import InMemoryRecallTraces
from palimpsest_server.stores.todos import InMemoryTodos, TodoStore
from palimpsest_server.stores.usage import InMemoryUsage
from services.console.app import ConsoleService, build
from services.console.command_reconciler import CommandReconciler
from services.console.command_runner import CommandRunner
from services.console.console_stores import ConsoleStores
from services.console.routes.exports import UserExport
from tests.support.clock import SettableClock
from tests.support.given_settings import GivenSettings
from tests.support.platform import InMemoryPlatform
from tests.support.services.recall.stand_ins import shared_embedder
from tests.support.stores.change_sets import InMemoryChangeSets
from tests.support.stores.ledger import InMemoryLedger
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.reports import InMemoryReports
from tests.support.stores.sessions import InMemorySessions
from tests.support.stores.standing_questions import InMemoryStandingQuestions
from tests.support.stores.turns import InMemoryTurns
from tests.support.stores.webhooks import InMemoryWebhooks

GRACE = timedelta(minutes=10)


class InMemoryArchive:
    """What a user said, as a test put it there."""

    def __init__(self) -> None:
        self.kept_turns: list[Turn] = []
        self.kept_summaries: list[SessionSummary] = []
        self.kept_windows: list[Window] = []
        self.kept_requests: list[AcceptedRequest] = []
        self.kept_letters: list[DeadLetter] = []

    async def turns(self, user_id: str) -> AsyncIterator[Turn]:
        for turn in self.kept_turns:
            if turn.user_id == user_id:
                yield turn

    async def summaries(self, user_id: str) -> AsyncIterator[SessionSummary]:
        for summary in self.kept_summaries:
            if summary.scope.user_id == user_id:
                yield summary

    async def windows(self, user_id: str) -> AsyncIterator[Window]:
        for window in self.kept_windows:
            if window.user_id == user_id:
                yield window

    async def requests(self, user_id: str) -> AsyncIterator[tuple[str, AcceptedRequest]]:
        for request in self.kept_requests:
            if request.user_id == user_id:
                yield request.event_id, request

    async def dead_letters(self, user_id: str) -> AsyncIterator[DeadLetter]:
        for letter in self.kept_letters:
            if letter.user_id == user_id:
                yield letter


class NothingKept:
    async def of(self, user_id: str) -> DataInventoryCounts:
        return DataInventoryCounts(counts={user_id: 0})

    async def of_project(
        self, user_id: str, agent_id: str | None, project_id: str
    ) -> DataInventoryCounts:
        whose = [user_id, project_id, *([agent_id] if agent_id else [])]
        return DataInventoryCounts(counts=dict.fromkeys(whose, 1))


class _Current:
    """The writer that stands behind the world at the time, as users and as Kafka."""

    def __init__(self, world: "World") -> None:
        self._world = world

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        return await self._world.writer.of(list(user_ids))

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        await self._world.writer.publish(topic, events)


@dataclass
class World:
    """The console as it is wired, on stores in memory or in a database.

    Each access builds a process of its own; all of them hear what is announced.
    """

    clock: SettableClock = field(default_factory=SettableClock)
    commands: CommandStore = field(default_factory=InMemoryCommands)
    memories: MemoryStore = field(default_factory=InMemoryMemories)
    change_sets: ChangeSetStore = field(default_factory=InMemoryChangeSets)
    patience: timedelta = timedelta(seconds=5)
    kept: DataInventory = field(default_factory=NothingKept)
    erasures: ErasureStore = field(default_factory=InMemoryErasures)
    todos: TodoStore = field(default_factory=InMemoryTodos)
    settings: Settings = field(default_factory=lambda: GivenSettings(quota_tier=Tier.SEED))
    namespaces: NamespaceRegistry = field(
        default_factory=lambda: InMemoryNamespaces(layout=Layout.POOLED, model="model")
    )

    def __post_init__(self) -> None:
        self.dead_letters = InMemoryDeadLetters()
        self.ledger = InMemoryLedger()
        self.keys = InMemoryAccessKeys()
        self.entities: EntityStore = InMemoryEntities()
        self.usage = InMemoryUsage()
        self.traces = InMemoryRecallTraces()
        self.profiles = InMemoryProfiles()
        self.sessions = InMemorySessions()
        self.turns = InMemoryTurns()
        self.reports = InMemoryReports()
        self.said = InMemoryArchive()
        self.webhooks = InMemoryWebhooks()
        self.questions = InMemoryStandingQuestions()
        self._platforms: list[InMemoryPlatform] = []
        self.writer = Writer(self)

    @classmethod
    def on(cls, database: MongoDatabase) -> "World":
        return cls(
            commands=MongoCommands(database),
            memories=MongoMemories(database),
            change_sets=MongoChangeSets(database),
        )

    @property
    def http(self) -> httpx.AsyncClient:
        return self.serving(self.build())

    def serving(self, service: ConsoleService) -> httpx.AsyncClient:
        application = build_http_application(
            [service], settings=self.settings, registry=CollectorRegistry()
        )
        transport = httpx.ASGITransport(application)
        return httpx.AsyncClient(transport=transport, base_url="http://console")

    @property
    def giving(self) -> CommandRunner:
        return self.build().command_runner

    @property
    def application(self) -> FastAPI:
        service = self.build()
        return build_http_application(
            [service],
            settings=self.settings,
            registry=CollectorRegistry(),
            access=self._platforms[-1].access,
        )

    @property
    def exporting(self) -> UserExport:
        return self.build().user_export

    @property
    def reconciling(self) -> CommandReconciler:
        return self.build().reconciler

    def build(self) -> ConsoleService:
        """Another process on the same stores."""
        waits = {"command_wait_seconds": self.patience.total_seconds()}
        platform = InMemoryPlatform(
            settings=self.settings.model_copy(update=waits),
            clock=self.clock,
            embedder=shared_embedder(),
            vectors=None,
            registry=CollectorRegistry(),
            user_states=_Current(self),
            publisher=_Current(self),
            keys=self.keys,
        )
        self._platforms.append(platform)
        stores = ConsoleStores(
            commands=self.commands,
            memories=self.memories,
            change_sets=self.change_sets,
            namespaces=self.namespaces,
            inventory=self.kept,
            archive=self.said,
            erasures=self.erasures,
            todos=self.todos,
            profiles=self.profiles,
            sessions=self.sessions,
            turns=self.turns,
            usage=self.usage,
            reports=self.reports,
            traces=self.traces,
            dead_letters=self.dead_letters,
            ledger=self.ledger,
            webhooks=self.webhooks,
            keys=self.keys,
            entities=self.entities,
            questions=self.questions,
        )
        return build(platform, stores=stores)

    async def announce(self, event: ChangeSetAnnounced) -> None:
        for platform in self._platforms:
            await platform.buses["console"].changes.announce(event)

    def counted(self, name: str, **labels: str) -> float:
        """The sum over all processes."""
        counts = (platform.registry.get_sample_value(name, labels) for platform in self._platforms)
        return sum(count or 0.0 for count in counts)

    async def know(self, *known: Memory) -> None:
        await self.memories.apply([MemoryChange(after=memory) for memory in known])
        await self.namespaces.register(memory.scope.namespace for memory in known)

    def memory(self, name: str, scope: Scope | None = None, **fields: Any) -> Memory:
        now = self.clock()
        return Memory.model_validate(
            {
                "id": name,
                "scope": scope or Scope(user_id="ann"),
                "kind": Kind.FACT,
                "content": f"the content of {name}",
                "summary": name,
                "importance": 0.8,
                "confidence": 1.0,
                "source": MemorySource.USER_INPUT,
                "occurred_at": now,
                "recorded_at": now,
                "valid_from": now,
                "status": Status.ACTIVE,
                "lifetime": Lifetime.CORE,
                "evidence": (),
                "epoch": 0,
                **fields,
            }
        )


class Writer:
    """Kafka and what is behind it, as the console sees them: commands in, change sets out."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._settings: dict[str, UserSettings] = {}
        self.epochs: dict[str, int] = {}
        self.going: dict[str, tuple[PendingErasure, ...]] = {}
        self.published: list[Event] = []
        self._arrived = asyncio.Condition()
        self.down = False
        self.works = True
        self.announces = True

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        return {
            user_id: UserState(
                settings=self._settings.get(user_id, UserSettings()),
                epoch=self.epochs.get(user_id, 0),
                going=self.going.get(user_id, ()),
            )
            for user_id in user_ids
        }

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        if self.down and events:
            raise TransientError("Kafka is away", retry_after_seconds=2)
        assert topic is CANDIDATES
        async with self._arrived:
            self.published += events
            self._arrived.notify_all()
        if self.works:
            await self.work()

    async def heard_of(self, count: int) -> None:
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.published) >= count)

    async def work(self) -> None:
        """Decide on everything published that was not decided yet."""
        for event in self.published:
            known = await self._world.change_sets.known([_id(event)])
            if not known:
                await self._decide(event)

    async def _decide(self, event: Event) -> None:
        heads = await self._world.change_sets.heads([event.user_id])
        changes = await self._changes(event)
        now = self._world.clock()
        change_set = ChangeSet(
            id=_id(event),
            user_id=event.user_id,
            revision=heads[event.user_id].revision + 1,
            epoch=event.epoch or 0,
            cause=Cause(event_id=event.event_id, type=event.type, occurred_at=now, received_at=now),
            actor="user",
            reason=event.reason if isinstance(event, ForgetMemory) else "settings",
            decided_at=now,
            changes=tuple(changes),
            progress=ChangeSetProgress.APPLIED,
        )
        decided = self._decided(change_set)
        change_set = decided.change_set
        await self._world.change_sets.append([decided])
        await self._world.memories.apply(change_set.memory_changes)
        if self.announces:
            await self._world.announce(
                ChangeSetAnnounced(
                    event_id=change_set.id,
                    occurred_at=now,
                    user_id=event.user_id,
                    change_set=change_set,
                )
            )

    def _decided(self, change_set: ChangeSet) -> DecidedChangeSet:
        return DecidedChangeSet(change_set=change_set)

    async def _changes(self, event: Event) -> list[Change]:
        if isinstance(event, ForgetMemory):
            (before,) = await self._world.memories.by_ids([event.scope], [event.memory_id])
            if before.status is Status.FORGOTTEN:
                return []
            forgotten = {"status": Status.FORGOTTEN, "version": before.version + 1}
            return [MemoryChange(before=before, after=before.model_copy(update=forgotten))]
        assert isinstance(event, SetSettings)
        settled = self._settings.get(event.user_id, UserSettings())
        asked = event.model_dump(include=set(UserSettings.model_fields), exclude_none=True)
        after = settled.model_copy(update=asked)
        self._settings[event.user_id] = after
        return [] if after == settled else [SettingsChange(before=settled, after=after)]


def _id(event: Event) -> str:
    return change_set_id(event.user_id, event.event_id)
