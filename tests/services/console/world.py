"""What the console needs around it: stores, a log, and one writer at the end of it."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from palimpsest.contracts.announcements import ChangeSetAnnounced
from palimpsest.contracts.command_requests import WhatIsKept
from palimpsest.contracts.commands import ForgetMemory, SetSettings
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.topics import CANDIDATES, Topic
from palimpsest.domain.change_set import (
    Cause,
    Change,
    ChangeSet,
    MemoryChange,
    Progress,
    SettingsChange,
    change_set_id,
)
from palimpsest.domain.erasure import Going
from palimpsest.domain.errors import TransientError
from palimpsest.domain.kinds import Kind, Lifetime
from palimpsest.domain.memory import Memory, Source, Status
from palimpsest.domain.privacy.policy import DEFAULT_POLICY
from palimpsest.domain.scope import Layout, Scope
from palimpsest.domain.summaries.summary import SessionSummary
from palimpsest.domain.turn import Turn
from palimpsest.domain.user import Tier, UserSettings, UserState
from palimpsest.runtime.http import http_application
from palimpsest.runtime.settings import Settings
from palimpsest.stores.change_sets import ChangeSetStore, Decided
from palimpsest.stores.change_sets_memory import InMemoryChangeSets
from palimpsest.stores.change_sets_mongo import MongoChangeSets
from palimpsest.stores.commands import CommandStore, InMemoryCommands, MongoCommands
from palimpsest.stores.dead_letters import InMemoryDeadLetters
from palimpsest.stores.erasures import ErasureStore, InMemoryErasures
from palimpsest.stores.kept import Kept
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.memories_memory import InMemoryMemories
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.namespaces import InMemoryNamespaces, NamespaceRegistry
from palimpsest.stores.profiles import InMemoryProfiles
from palimpsest.stores.sessions_memory import InMemorySessions
from palimpsest.stores.todos import InMemoryTodos, TodoStore
from palimpsest.stores.traces import InMemoryRecallTraces
from palimpsest.stores.turns_memory import InMemoryTurns
from palimpsest.stores.usage import InMemoryUsage
from palimpsest.stores.written_language import StoredWrittenLanguages
from services.console import (
    changes,
    editing,
    erasing,
    exporting,
    judging,
    maintaining,
    memories,
    profiles,
    projects,
    quota,
    settings,
    todos,
    traces,
    usage,
)
from services.console.announcements import Announcements
from services.console.commands import Commands
from services.console.editing import Editing
from services.console.exporting import Exporting
from services.console.memories import Memories
from services.console.metrics import ConsoleMetrics
from services.console.purging import Purging, ShownIn
from services.console.reconciling import Reconciling, ReconcilingTimes
from services.console.resting import Resting
from tests.conftest import SettableClock

GRACE = timedelta(minutes=10)


class SaidInMemory:
    """What a user said, as a test put it there."""

    def __init__(self) -> None:
        self.kept_turns: list[Turn] = []
        self.kept_summaries: list[SessionSummary] = []

    async def turns(self, user_id: str) -> AsyncIterator[Turn]:
        for turn in self.kept_turns:
            if turn.user_id == user_id:
                yield turn

    async def summaries(self, user_id: str) -> AsyncIterator[SessionSummary]:
        for summary in self.kept_summaries:
            if summary.scope.user_id == user_id:
                yield summary


class NothingKept:
    async def of(self, user_id: str) -> WhatIsKept:
        return WhatIsKept(counts={user_id: 0})

    async def of_project(self, user_id: str, agent_id: str | None, project_id: str) -> WhatIsKept:
        whose = [user_id, project_id, *([agent_id] if agent_id else [])]
        return WhatIsKept(counts=dict.fromkeys(whose, 1))


@dataclass
class Shown:
    """Windows, by a turn that a model was shown in them."""

    by_turn: dict[str, str]

    async def shown_in(self, _user_id: str, turn_ids: Iterable[str], /) -> ShownIn:
        ids = list(turn_ids)
        return ShownIn(
            window_ids=tuple(self.by_turn[each] for each in ids if each in self.by_turn),
            summary_ids=tuple(f"summary of {each}" for each in ids),
        )


@dataclass
class World:
    """The console on the twins, or on a database."""

    clock: SettableClock = field(default_factory=SettableClock)
    commands: CommandStore = field(default_factory=InMemoryCommands)
    memories: MemoryStore = field(default_factory=InMemoryMemories)
    change_sets: ChangeSetStore = field(default_factory=InMemoryChangeSets)
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    patience: timedelta = timedelta(seconds=5)
    kept: Kept = field(default_factory=NothingKept)
    erasures: ErasureStore = field(default_factory=InMemoryErasures)
    todos: TodoStore = field(default_factory=InMemoryTodos)
    settings: Settings = field(default_factory=Settings)
    namespaces: NamespaceRegistry = field(
        default_factory=lambda: InMemoryNamespaces(layout=Layout.POOLED, model="model")
    )
    windows: "Shown" = field(default_factory=lambda: Shown({}))

    def __post_init__(self) -> None:
        self.dead_letters = InMemoryDeadLetters()
        self.usage = InMemoryUsage()
        self.traces = InMemoryRecallTraces()
        self.profiles = InMemoryProfiles()
        self.sessions = InMemorySessions()
        self.turns = InMemoryTurns()
        self.said = SaidInMemory()
        self.announcements = Announcements()
        self.writer = Writer(self)
        self.metrics = ConsoleMetrics(self.registry)

    @classmethod
    def on(cls, database: MongoDatabase) -> "World":
        return cls(
            commands=MongoCommands(database),
            memories=MongoMemories(database),
            change_sets=MongoChangeSets(database),
        )

    @property
    def http(self) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.application)
        return httpx.AsyncClient(transport=transport, base_url="http://console")

    @property
    def giving(self) -> Commands:
        return Commands(
            self.commands,
            publisher=self.writer,
            change_sets=self.change_sets,
            announcements=self.announcements,
            users=self.writer,
            metrics=self.metrics,
            clock=self.clock,
            patience=self.patience,
        )

    @property
    def application(self) -> FastAPI:
        commands = self.giving
        reader = Memories(self.memories, self.change_sets, self.writer)
        by_hand = Editing(reader, self.clock, DEFAULT_POLICY)
        resting = Resting(self.memories, self.namespaces)
        purging = Purging(by_hand, resting, self.windows)
        written = StoredWrittenLanguages(self.sessions, self.turns, self.memories)
        return http_application(
            [
                Mounted(
                    memories.routes(reader),
                    editing.routes(by_hand, commands),
                    judging.routes(by_hand, commands),
                    changes.routes(self.change_sets, self.writer, commands, self.clock),
                    projects.routes(commands, self.kept, self.clock),
                    erasing.routes(purging, commands, self.erasures, self.kept, self.clock),
                    maintaining.routes(commands, self.clock),
                    settings.routes(self.writer, commands, self.clock),
                    usage.routes(self.usage, self.clock),
                    traces.routes(self.traces, self.writer),
                    todos.routes(self.todos, commands, self.clock),
                    profiles.routes(self.profiles, self.writer, written, self.clock),
                    exporting.routes(self.exporting),
                    quota.routes(self.memories, self.writer, default_tier=Tier.SEED),
                )
            ],
            settings=self.settings,
            registry=CollectorRegistry(),
        )

    @property
    def exporting(self) -> Exporting:
        return Exporting(
            self.memories,
            self.namespaces,
            self.change_sets,
            self.todos,
            self.profiles,
            self.said,
            self.writer,
            self.clock,
        )

    @property
    def reconciling(self) -> Reconciling:
        return Reconciling(
            self.commands,
            publisher=self.writer,
            change_sets=self.change_sets,
            dead_letters=self.dead_letters,
            users=self.writer,
            metrics=self.metrics,
            clock=self.clock,
            times=ReconcilingTimes(interval=timedelta(seconds=30), grace=GRACE),
        )

    async def know(self, *known: Memory) -> None:
        await self.memories.apply([MemoryChange(after=each) for each in known])
        await self.namespaces.register(each.scope.namespace for each in known)

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
                "source": Source.USER_INPUT,
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


class Mounted:
    name = "console"
    checks: Mapping[str, Any] = {}

    def __init__(self, *routers: Any) -> None:
        self.routers = routers

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


class Writer:
    """Kafka and what is behind it, as the console sees them: commands in, change sets out."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._settings: dict[str, UserSettings] = {}
        self.epochs: dict[str, int] = {}
        self.going: dict[str, tuple[Going, ...]] = {}
        self.published: list[Event] = []
        self._arrived = asyncio.Condition()
        self.down = False
        self.works = True
        self.announces = True

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        return {
            each: UserState(
                settings=self._settings.get(each, UserSettings()),
                epoch=self.epochs.get(each, 0),
                going=self.going.get(each, ()),
            )
            for each in user_ids
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
            progress=Progress.APPLIED,
        )
        decided = self._decided(change_set)
        change_set = decided.change_set
        await self._world.change_sets.append([decided])
        await self._world.memories.apply(change_set.memory_changes)
        if self.announces:
            await self._world.announcements.on_change(
                ChangeSetAnnounced(
                    event_id=change_set.id,
                    occurred_at=now,
                    user_id=event.user_id,
                    change_set=change_set,
                )
            )

    def _decided(self, change_set: ChangeSet) -> Decided:
        return Decided(change_set=change_set)

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
