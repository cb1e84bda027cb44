"""Wires the console: routes by which people see memories and change them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, partial

from fastapi import APIRouter

from palimpsest.events.topics import USER_COMMANDS
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.delivery.reconciliation import ReconcilerTimes
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.stores.erasure.console import ConsoleEraser
from palimpsest_server.stores.written_language import StoredWrittenLanguages
from services.console.access_keys import KeyRegister
from services.console.change_streams import ChangeStreams
from services.console.change_waiters import ChangeWaiters
from services.console.chat_proxy.chat_proxies import ChatProxies
from services.console.command_reconciler import CommandReconciler
from services.console.command_routes import check_command_routes
from services.console.command_runner import CommandRunner
from services.console.console_stores import ConsoleStores
from services.console.dependent_memories import DependentMemoryFinder
from services.console.handlers import KafkaCommandHandler
from services.console.mcp_endpoint import McpEndpoint
from services.console.memory_purge import MemoryPurgePlanner
from services.console.metrics import ConsoleMetrics
from services.console.model_call_pages import ModelCallPages
from services.console.reminder_notifier import ReminderNotifier
from services.console.repeating_messages import RepetitionFinder
from services.console.routes import (
    access_keys,
    changes,
    conversations,
    erasures,
    event_stream,
    exports,
    graph,
    imports,
    maintenance,
    mcp,
    memories,
    memory_bulk,
    memory_edits,
    memory_status,
    operations,
    profiles,
    projects,
    quota,
    reports,
    standing_questions,
    statistics,
    todos,
    topic_erasure,
    traces,
    turns,
    usage,
    webhook_deliveries,
    webhooks,
)
from services.console.routes import settings as settings_routes
from services.console.routes.exports import UserExport
from services.console.routes.graph import GraphReader
from services.console.routes.memories import VisibleMemories
from services.console.routes.memory_edits import MemoryCommandFactory
from services.console.routes.operations import NamespaceOverview
from services.console.routes.statistics import StatisticsReader
from services.console.routes.turns import VisibleTurns
from services.console.services_connection import ServicesConnection
from services.console.session_history import SessionHistory
from services.console.standing_questions import StandingQuestions
from services.console.topic_search import TopicSearch
from services.console.visible_archive import VisibleArchive
from services.console.webhook_outbox import WebhookOutbox
from services.console.webhook_sender import WebhookSender

NAME = "console"


@dataclass(frozen=True, kw_only=True)
class ConsoleService:
    name = NAME

    bus: ServiceBus
    supervisor: Supervisor
    command_runner: CommandRunner
    reconciler: CommandReconciler
    user_export: UserExport
    streams: ChangeStreams
    webhooks: WebhookOutbox
    proxies: ChatProxies
    build_routers: Callable[[], Sequence[APIRouter]]
    checks: Mapping[str, ReadinessCheck]
    log_was_lost: bool

    @cached_property
    def routers(self) -> Sequence[APIRouter]:
        """All routes, built at each access.

        Raises:
            CommandIncomplete: a command of people has no route.
        """
        routers = self.build_routers()
        check_command_routes(routers)
        return routers

    async def start(self) -> None:
        await self.bus.start()
        self.supervisor.start(
            "reconciler", partial(self.reconciler.watch, log_was_lost=self.log_was_lost)
        )
        for name, run in self.webhooks.tasks.items():
            self.supervisor.start(name, run)

    def end_streams(self) -> None:
        self.streams.end()

    async def stop(self) -> None:
        self.end_streams()
        await self.supervisor.stop()
        await self.webhooks.close()
        await self.proxies.close()
        await self.bus.stop()


def build(platform: Platform, *, stores: ConsoleStores | None = None) -> ConsoleService:
    """Wire the console of this process.

    Args:
        platform: what the services of the process share.
        stores: the stores to read, and to keep commands in; by default in the platform's database.
    """
    settings, clock, users = platform.settings, platform.clock, platform.users
    bus, supervisor = platform.open_bus(NAME), platform.supervise(NAME)
    metrics = ConsoleMetrics(platform.registry)
    privacy = PrivacyPolicy.of(settings.privacy)
    stores = stores or ConsoleStores.in_database(
        platform.database, layout=settings.layout, model=platform.embedder.model.slug
    )
    bus.erasure_worker.register(ConsoleEraser(platform.database))
    # The cache first: a request that waits for a change reads the new settings after it.
    users.follow(bus.changes)
    # If another service of this process updates the cache for all, its feed may lag behind ours.
    bus.changes.listen(users.on_change)
    waiters = ChangeWaiters()
    bus.changes.listen(waiters.on_change)
    streams = ChangeStreams(stores.change_sets, users, clock)
    bus.changes.listen(streams.on_change)
    outbox = WebhookOutbox(
        stores.webhooks,
        stores.change_sets,
        users,
        WebhookSender(allows_private=settings.webhook_private_addresses, clock=clock),
        ReminderNotifier(settings.notification_urls),
        metrics=metrics,
        clock=clock,
    )
    bus.changes.listen(outbox.on_change)
    commands = CommandRunner(
        stores.commands,
        publisher=bus.publisher,
        change_sets=stores.change_sets,
        announcements=waiters,
        users=users,
        metrics=metrics,
        clock=clock,
        patience=timedelta(seconds=settings.command_wait_seconds),
    )
    reader = VisibleMemories(stores.memories, stores.namespaces, stores.change_sets, users)
    editing = MemoryCommandFactory(reader, clock, privacy)
    archive = VisibleArchive(stores.archive, users, stores.erasures)
    topic_search = TopicSearch(
        stores.memories,
        stores.namespaces,
        archive,
        stores.questions,
        platform.embedder,
        platform.vectors,
        context_messages=settings.extraction_context_messages,
    )
    dependents = DependentMemoryFinder(stores.memories, stores.namespaces)
    purges = MemoryPurgePlanner(editing, dependents, topic_search, RepetitionFinder(archive))
    user_export = UserExport(
        stores.memories,
        stores.namespaces,
        stores.change_sets,
        stores.todos,
        stores.profiles,
        stores.archive,
        users,
        clock,
        questions=stores.questions,
        erasures=stores.erasures,
    )
    written = StoredWrittenLanguages(stores.sessions, stores.turns, stores.memories)
    bus.consume(
        USER_COMMANDS,
        KafkaCommandHandler(commands, stores.memories, stores.namespaces, privacy).handle,
    )
    reconciler = CommandReconciler(
        stores.commands,
        publisher=bus.publisher,
        change_sets=stores.change_sets,
        dead_letters=stores.dead_letters,
        users=users,
        metrics=metrics,
        clock=clock,
        times=ReconcilerTimes(
            interval=timedelta(seconds=settings.reconcile_interval_seconds),
            grace=timedelta(seconds=settings.reconcile_grace_seconds),
        ),
    )
    visible_turns = VisibleTurns(stores.turns, archive, users)
    services = ServicesConnection(
        settings.services_url, is_guarded=platform.access.is_guarded, clock=clock
    )
    tools = McpEndpoint(services, supervisor, settings.mcp_instructions)
    proxies = ChatProxies.on_platform(platform, services, metrics)
    questions = StandingQuestions(
        stores.questions,
        stores.memories,
        stores.change_sets,
        users,
        stores.erasures,
        services,
        clock,
        has_model=settings.model_of(ModelTask.ANSWER) is not None,
    )
    overview = NamespaceOverview(
        stores.namespaces, stores.memories, users, default_tier=settings.default_tier
    )
    keys = KeyRegister(stores.keys, platform.access, clock)

    def build_routers() -> Sequence[APIRouter]:
        return (
            memories.build_router(reader),
            memory_edits.build_router(editing, commands),
            memory_status.build_router(editing, commands),
            memory_bulk.build_router(editing, commands),
            graph.build_router(GraphReader(stores.memories, stores.entities, users)),
            changes.build_router(stores.change_sets, users, commands, clock),
            projects.build_router(commands, stores.inventory, clock),
            settings_routes.build_router(users, commands, clock),
            reports.build_router(stores.reports),
            statistics.build_router(StatisticsReader(stores.memories, stores.namespaces, users)),
            turns.build_router(visible_turns),
            conversations.build_router(
                SessionHistory(
                    stores.sessions,
                    stores.turns,
                    visible_turns,
                    stores.change_sets,
                    stores.memories,
                    users,
                ),
                commands,
                clock,
            ),
            maintenance.build_router(commands, clock),
            quota.build_router(stores.memories, users, default_tier=settings.default_tier),
            erasures.build_router(purges, commands, stores.erasures, stores.inventory, clock),
            topic_erasure.build_router(topic_search, dependents, commands, clock),
            todos.build_router(stores.todos, reader, editing, commands, clock),
            profiles.build_router(stores.profiles, users, written, commands, clock),
            usage.build_router(
                stores.usage, ModelCallPages(stores.usage, stores.change_sets, users), clock
            ),
            exports.build_router(user_export),
            imports.build_router(commands, privacy, clock),
            traces.build_router(stores.traces, users),
            event_stream.build_router(streams),
            webhooks.build_router(stores.webhooks, outbox, clock),
            webhook_deliveries.build_router(stores.webhooks, outbox, clock),
            proxies.router,
            mcp.build_router(tools),
            standing_questions.build_router(questions, privacy),
            operations.build_router(
                overview,
                stores.dead_letters,
                bus.republisher,
                stores.ledger,
                platform.registry,
                clock,
            ),
            access_keys.build_router(keys, platform.access),
        )

    return ConsoleService(
        bus=bus,
        supervisor=supervisor,
        command_runner=commands,
        reconciler=reconciler,
        user_export=user_export,
        streams=streams,
        webhooks=outbox,
        proxies=proxies,
        build_routers=build_routers,
        checks={
            "kafka": bus.check,
            "mongodb": platform.database.ping,
            "background tasks": supervisor.check,
            "lost events": reconciler.check,
        },
        log_was_lost=settings.kafka_volatile,
    )
