"""The console: what people see of memories, and the commands they give. Wiring only."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

from fastapi import APIRouter

from palimpsest.events.topics import USER_COMMANDS
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck, Service
from palimpsest_server.stores.commands import MongoCommands
from palimpsest_server.stores.data_inventory import MongoDataInventory
from palimpsest_server.stores.dead_letters import MongoDeadLetters
from palimpsest_server.stores.decided_erasures import MongoErasures
from palimpsest_server.stores.erasure.console import ConsoleEraser
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.profiles import MongoProfiles
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.mongo.todos import MongoTodos
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.mongo.usage import MongoUsage
from palimpsest_server.stores.namespaces import MongoNamespaces
from palimpsest_server.stores.recall_traces import MongoRecallTraces
from palimpsest_server.stores.reports import MongoReports
from palimpsest_server.stores.user_archive import MongoUserArchive
from palimpsest_server.stores.written_language import StoredWrittenLanguages
from services.console.change_waiters import ChangeWaiters
from services.console.command_reconciler import CommandReconciler, CommandReconcilerTimes
from services.console.command_runner import CommandRunner
from services.console.dependent_memories import DependentMemoryFinder
from services.console.handlers import KafkaCommandHandler
from services.console.memory_purge import MemoryPurgePlanner
from services.console.metrics import ConsoleMetrics
from services.console.routes import (
    changes,
    erasures,
    exports,
    maintenance,
    memories,
    memory_edits,
    memory_status,
    profiles,
    projects,
    quota,
    reports,
    settings,
    todos,
    topic_erasure,
    traces,
    usage,
)
from services.console.routes.exports import UserExport
from services.console.routes.memories import VisibleMemories
from services.console.routes.memory_edits import MemoryCommandFactory
from services.console.topic_search import TopicSearch

NAME = "console"


class ConsoleService:
    name = NAME

    def __init__(
        self,
        *,
        bus: ServiceBus,
        routers: Sequence[APIRouter],
        checks: Mapping[str, ReadinessCheck],
        reconciling: CommandReconciler,
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
    own_bus, clock, database = platform.open_bus(NAME), platform.clock, platform.database
    metrics = ConsoleMetrics(platform.registry)
    store, change_sets = MongoCommands(database), MongoChangeSets(database)
    users = platform.users
    privacy = PrivacyPolicy.of(platform.settings.privacy)
    announcements = ChangeWaiters()
    own_bus.erasure_worker.register(ConsoleEraser(database))
    # The cache first: whoever was waited for reads their new settings.
    users.follow(own_bus.changes)
    # Where another service of this process follows for all, its feed may be behind ours.
    own_bus.changes.listen(users.on_change)
    own_bus.changes.listen(announcements.on_change)
    commands = CommandRunner(
        store,
        publisher=own_bus.publisher,
        change_sets=change_sets,
        announcements=announcements,
        users=users,
        metrics=metrics,
        clock=clock,
    )
    everything = MongoMemories(database, layout=platform.settings.layout)
    reader = VisibleMemories(everything, change_sets, users)
    namespaces = MongoNamespaces(
        database, layout=platform.settings.layout, model=platform.embedder.model.slug
    )
    kept = MongoDataInventory(database, namespaces, layout=platform.settings.layout)
    topics = TopicSearch(
        everything,
        namespaces,
        MongoUserArchive(database),
        platform.embedder,
        platform.vectors,
        context_messages=platform.settings.extraction_context_messages,
    )
    everything_of_one = UserExport(
        everything,
        namespaces,
        change_sets,
        MongoTodos(database),
        MongoProfiles(database),
        MongoUserArchive(database),
        users,
        clock,
    )
    written = StoredWrittenLanguages(MongoSessions(database), MongoTurns(database), everything)
    resting = DependentMemoryFinder(everything, namespaces)
    by_hand = MemoryCommandFactory(reader, clock, privacy)
    purging = MemoryPurgePlanner(by_hand, resting, topics)
    own_bus.consume(
        USER_COMMANDS, KafkaCommandHandler(commands, everything, namespaces, privacy).handle
    )
    reconciling = CommandReconciler(
        store,
        publisher=own_bus.publisher,
        change_sets=change_sets,
        dead_letters=MongoDeadLetters(database),
        users=users,
        metrics=metrics,
        clock=clock,
        times=CommandReconcilerTimes(
            interval=timedelta(seconds=platform.settings.reconcile_interval_seconds),
            grace=timedelta(seconds=platform.settings.reconcile_grace_seconds),
        ),
    )
    return ConsoleService(
        bus=own_bus,
        routers=(
            memories.build_router(reader),
            memory_edits.build_router(by_hand, commands),
            memory_status.build_router(by_hand, commands),
            changes.build_router(change_sets, users, commands, clock),
            projects.build_router(commands, kept, clock),
            settings.build_router(users, commands, clock),
            reports.build_router(MongoReports(database)),
            maintenance.build_router(commands, clock),
            quota.build_router(everything, users, default_tier=platform.settings.default_tier),
            erasures.build_router(purging, commands, MongoErasures(database), kept, clock),
            topic_erasure.build_router(topics, resting, commands, clock),
            todos.build_router(MongoTodos(database), commands, clock),
            profiles.build_router(MongoProfiles(database), users, written, clock),
            usage.build_router(MongoUsage(database), clock),
            exports.build_router(everything_of_one),
            traces.build_router(MongoRecallTraces(database), users),
        ),
        checks={"kafka": own_bus.check, "mongodb": database.ping},
        reconciling=reconciling,
        log_was_lost=platform.settings.kafka_volatile,
    )
