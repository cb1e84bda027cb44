"""The console: what people see of memories, and the commands they give. Wiring only."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

from fastapi import APIRouter

from palimpsest.contracts.topics import BY_HAND
from palimpsest.delivery.bus import Bus
from palimpsest.domain.privacy.policy import PrivacyPolicy
from palimpsest.runtime.kafka import bus
from palimpsest.runtime.service import Check, Platform, Service
from palimpsest.stores.change_sets_mongo import MongoChangeSets
from palimpsest.stores.commands import MongoCommands
from palimpsest.stores.dead_letters import MongoDeadLetters
from palimpsest.stores.erasing.console import ConsoleEraser
from palimpsest.stores.erasures import MongoErasures
from palimpsest.stores.kept import MongoKept
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.namespaces import MongoNamespaces
from palimpsest.stores.profiles_mongo import MongoProfiles
from palimpsest.stores.reports import MongoReports
from palimpsest.stores.said import MongoSaid
from palimpsest.stores.sessions_mongo import MongoSessions
from palimpsest.stores.todos_mongo import MongoTodos
from palimpsest.stores.traces import MongoRecallTraces
from palimpsest.stores.turns_mongo import MongoTurns
from palimpsest.stores.usage_mongo import MongoUsage
from palimpsest.stores.written_language import StoredWrittenLanguages
from services.console import (
    changes,
    editing,
    erasing,
    exporting,
    forgetting_topics,
    judging,
    maintaining,
    memories,
    profiles,
    projects,
    quota,
    reports,
    settings,
    todos,
    traces,
    usage,
)
from services.console.announcements import Announcements
from services.console.commands import Commands
from services.console.editing import Editing
from services.console.exporting import Exporting
from services.console.intake import Intake
from services.console.memories import Memories
from services.console.metrics import ConsoleMetrics
from services.console.purging import Purging
from services.console.reconciling import Reconciling, ReconcilingTimes
from services.console.resting import Resting
from services.console.topics import Topics

NAME = "console"


class ConsoleService:
    name = NAME

    def __init__(
        self,
        *,
        bus: Bus,
        routers: Sequence[APIRouter],
        checks: Mapping[str, Check],
        reconciling: Reconciling,
        log_was_lost: bool,
    ) -> None:
        self.routers = routers
        self.checks = checks
        self._bus = bus
        self._reconciling = reconciling
        self._log_was_lost = log_was_lost
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self._bus.start()
        self._watching = asyncio.create_task(
            self._reconciling.watch(log_was_lost=self._log_was_lost)
        )

    async def stop(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
        await self._bus.stop()


def build(platform: Platform) -> Service:
    own_bus, clock, database = bus(platform, NAME), platform.clock, platform.database
    metrics = ConsoleMetrics(platform.registry)
    store, change_sets = MongoCommands(database), MongoChangeSets(database)
    users = platform.users
    privacy = PrivacyPolicy.of(platform.settings.privacy)
    announcements = Announcements()
    own_bus.obeying.also(ConsoleEraser(database))
    # The cache first: whoever was waited for reads their new settings.
    users.follow(own_bus.changes)
    # Where another service of this process follows for all, its feed may be behind ours.
    own_bus.changes.listen(users.on_change)
    own_bus.changes.listen(announcements.on_change)
    commands = Commands(
        store,
        publisher=own_bus.publisher,
        change_sets=change_sets,
        announcements=announcements,
        users=users,
        metrics=metrics,
        clock=clock,
    )
    everything = MongoMemories(database, layout=platform.settings.layout)
    reader = Memories(everything, change_sets, users)
    namespaces = MongoNamespaces(
        database, layout=platform.settings.layout, model=platform.embedder.model.slug
    )
    kept = MongoKept(database, namespaces, layout=platform.settings.layout)
    topics = Topics(
        everything,
        namespaces,
        MongoSaid(database),
        platform.embedder,
        platform.vectors,
        context_messages=platform.settings.extraction_context_messages,
    )
    everything_of_one = Exporting(
        everything,
        namespaces,
        change_sets,
        MongoTodos(database),
        MongoProfiles(database),
        MongoSaid(database),
        users,
        clock,
    )
    written = StoredWrittenLanguages(MongoSessions(database), MongoTurns(database), everything)
    resting = Resting(everything, namespaces)
    by_hand = Editing(reader, clock, privacy)
    purging = Purging(by_hand, resting, topics)
    own_bus.consume(BY_HAND, Intake(commands, everything, namespaces, privacy).handle)
    reconciling = Reconciling(
        store,
        publisher=own_bus.publisher,
        change_sets=change_sets,
        dead_letters=MongoDeadLetters(database),
        users=users,
        metrics=metrics,
        clock=clock,
        times=ReconcilingTimes(
            interval=timedelta(seconds=platform.settings.reconcile_interval_seconds),
            grace=timedelta(seconds=platform.settings.reconcile_grace_seconds),
        ),
    )
    return ConsoleService(
        bus=own_bus,
        routers=(
            memories.routes(reader),
            editing.routes(by_hand, commands),
            judging.routes(by_hand, commands),
            changes.routes(change_sets, users, commands, clock),
            projects.routes(commands, kept, clock),
            settings.routes(users, commands, clock),
            reports.routes(MongoReports(database)),
            maintaining.routes(commands, clock),
            quota.routes(everything, users, default_tier=platform.settings.default_tier),
            erasing.routes(purging, commands, MongoErasures(database), kept, clock),
            forgetting_topics.routes(topics, resting, commands, clock),
            todos.routes(MongoTodos(database), commands, clock),
            profiles.routes(MongoProfiles(database), users, written, clock),
            usage.routes(MongoUsage(database), clock),
            exporting.routes(everything_of_one),
            traces.routes(MongoRecallTraces(database), users),
        ),
        checks={"kafka": own_bus.check, "mongodb": database.ping},
        reconciling=reconciling,
        log_was_lost=platform.settings.kafka_volatile,
    )
