"""The ingest service: takes in conversations from Kafka and over HTTP.

A batch passes these steps: receive (`handlers`, `receive_events`), redact (`redact_events`), plan
(`plan_batch`), store (`store_batch`), withhold (`withhold_turns`), publish (`pipeline`,
`publish_windows`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, partial
from typing import Any

from fastapi import APIRouter

from palimpsest.events.topics import CONVERSATIONS
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.delivery.reconciliation import ReconcilerTimes
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.delivery.write_behind import BEHIND, WriteBehindBuffer, flush_buffers
from palimpsest_server.domain.extraction_windows import WindowPlanner
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.stores.cached_sessions import CachedSessions
from palimpsest_server.stores.erasure.ingest import IngestEraser
from services.ingest import event_routes, session_routes
from services.ingest.close_idle_sessions import IdleSessionCloser
from services.ingest.extract_on_request import PATIENCE_SECONDS, OnDemandExtraction
from services.ingest.handlers import ConversationHandler
from services.ingest.http_intake import HttpIntake
from services.ingest.ingest_stores import IngestStores
from services.ingest.metrics import IngestMetrics
from services.ingest.pipeline import IngestPipeline
from services.ingest.publication_effects import PublicationEffects
from services.ingest.publish_windows import WindowPublisher, build_window_marks
from services.ingest.reconciler import IngestReconciler
from services.ingest.store_batch import BatchStore
from services.ingest.turn_retention import TurnRetention
from services.ingest.withhold_turns import TurnWithholder
from services.ingest.write_behind_sessions import WriteBehindSessions

NAME = "ingest"
SESSION_PROGRESS = "session progress"
WINDOW_MARKS = "window marks"

SESSION_WRITE_DELAY = timedelta(seconds=6)
"""How long the progress of a session is buffered: `DatabaseLimit.ONE_COMMAND_AT_A_TIME`. At 200
messages a second, writing every two seconds took 6 % of the database's time.
"""

BATCH_INTERVAL_SECONDS = 0.06
"""Least seconds between the beginnings of two batches, and so of the embedder's batches. At 100
messages a second a batch holds six messages instead of two, and each message costs a fifth less
processor time in all services. After a pause the first message is taken in at once.
"""


@dataclass(frozen=True, kw_only=True)
class IngestTimes:
    """Durations that no setting decides."""

    session_write_delay: timedelta = SESSION_WRITE_DELAY
    """How long the progress of sessions is buffered; zero writes it at once."""
    window_mark_delay: timedelta = BEHIND
    """How long marks of published windows are buffered; zero writes them at once."""
    request_patience_seconds: float = PATIENCE_SECONDS
    """How long extraction on request waits for messages accepted just now."""


@dataclass(frozen=True, kw_only=True)
class IngestService:
    name = NAME

    bus: ServiceBus
    supervisor: Supervisor
    pipeline: IngestPipeline
    http_intake: HttpIntake
    on_demand: OnDemandExtraction
    reconciler: IngestReconciler
    idle_sessions: IdleSessionCloser
    turn_retention: TurnRetention | None
    """None if turns are kept for good."""
    buffers: Mapping[str, WriteBehindBuffer[Any, Any]]
    build_routers: Callable[[], Sequence[APIRouter]]
    checks: Mapping[str, ReadinessCheck]
    log_was_lost: bool

    @cached_property
    def routers(self) -> Sequence[APIRouter]:
        return self.build_routers()

    async def start(self) -> None:
        await self.bus.start()
        if self.log_was_lost:
            await self.reconciler.take_in_unnumbered_turns()
        self.supervisor.start(
            "reconciler", partial(self.reconciler.watch, log_was_lost=self.log_was_lost)
        )
        if self.turn_retention is not None:
            self.supervisor.start("turn retention", self.turn_retention.watch)
        for name, buffer in self.buffers.items():
            self.supervisor.start(name, buffer.run)

    async def stop(self) -> None:
        await self.supervisor.stop()
        await self.bus.stop()
        await flush_buffers(self.buffers.values())


def build(
    platform: Platform, *, stores: IngestStores | None = None, times: IngestTimes = IngestTimes()
) -> IngestService:
    """Wire the ingest service of this process."""
    settings, clock, users = platform.settings, platform.clock, platform.users
    bus, supervisor = platform.open_bus(NAME), platform.supervise(NAME)
    metrics = IngestMetrics(platform.registry)
    privacy = PrivacyPolicy.of(settings.privacy)
    users.follow(bus.changes)
    bus.erasure_worker.register(IngestEraser(platform.database))
    durable_stores = stores or IngestStores.in_database(platform.database)
    buffered_stores, buffers = _buffer(durable_stores, times)
    sessions = CachedSessions(
        buffered_stores.sessions, clock=clock, looked_up=platform.caches.of("sessions")
    )
    idle_after = timedelta(minutes=settings.extraction_idle_minutes)
    reconcile_interval = timedelta(seconds=settings.reconcile_interval_seconds)
    planner = WindowPlanner(
        rounds=settings.extraction_window_rounds,
        context_messages=settings.extraction_context_messages,
    )
    windows = WindowPublisher(
        buffered_stores,
        sessions=sessions,
        planner=planner,
        publisher=bus.publisher,
        metrics=metrics,
        clock=clock,
        marks=buffers.get(WINDOW_MARKS),
    )
    pipeline = IngestPipeline(
        batches=BatchStore(buffered_stores, sessions, metrics=metrics, idle_after=idle_after),
        users=users,
        withholding=TurnWithholder(buffered_stores.turns),
        publisher=bus.publisher,
        windows=windows,
        metrics=metrics,
        clock=clock,
        privacy=privacy,
    )
    bus.consume(
        CONVERSATIONS,
        ConversationHandler(pipeline).handle,
        batch_interval_seconds=BATCH_INTERVAL_SECONDS,
    )
    http_intake = HttpIntake(
        # A chat service waits for this answer.
        stores or IngestStores.in_database(platform.answering_database),
        users=users,
        publisher=bus.publisher,
        metrics=metrics,
        clock=clock,
        privacy=privacy,
    )
    on_demand = OnDemandExtraction(
        buffered_stores,
        users=users,
        windows=windows,
        planner=planner,
        clock=clock,
        patience_seconds=times.request_patience_seconds,
    )
    idle_sessions = IdleSessionCloser(
        durable_stores.sessions,
        users=users,
        windows=windows,
        clock=clock,
        idle_after=idle_after,
    )
    reconciler = IngestReconciler(
        # Confirmations must not rest on buffered writes, which may still be lost.
        durable_stores,
        effects=PublicationEffects(
            vectors=platform.vectors,
            ledger=durable_stores.ledger,
            change_sets=durable_stores.change_sets,
            dead_letters=durable_stores.dead_letters,
        ),
        users=users,
        publisher=bus.publisher,
        windows=windows,
        metrics=metrics,
        clock=clock,
        take=pipeline.take,
        close_idle_sessions=idle_sessions.close,
        times=ReconcilerTimes(
            interval=reconcile_interval,
            grace=timedelta(seconds=settings.reconcile_grace_seconds),
        ),
    )
    retention = TurnRetention(
        buffered_stores.turns,
        publisher=bus.publisher,
        metrics=metrics,
        clock=clock,
        retention=timedelta(days=settings.turn_retention_days),
    )
    return IngestService(
        bus=bus,
        supervisor=supervisor,
        pipeline=pipeline,
        http_intake=http_intake,
        on_demand=on_demand,
        reconciler=reconciler,
        idle_sessions=idle_sessions,
        turn_retention=retention if settings.turn_retention_days else None,
        buffers=buffers,
        build_routers=lambda: (
            event_routes.build_event_router(http_intake, clock),
            session_routes.build_session_router(durable_stores.summaries, users, clock, on_demand),
        ),
        checks={
            "kafka": bus.check,
            "mongodb": platform.database.ping,
            "background tasks": supervisor.check,
            "lost events": reconciler.check,
        },
        log_was_lost=settings.kafka_volatile,
    )


def _buffer(
    stores: IngestStores, times: IngestTimes
) -> tuple[IngestStores, dict[str, WriteBehindBuffer[Any, Any]]]:
    """Put write-behind buffers before the stores that allow a delay, and return the buffers by name."""
    buffers: dict[str, WriteBehindBuffer[Any, Any]] = {}
    if times.session_write_delay:
        sessions = WriteBehindSessions(stores.sessions, behind=times.session_write_delay)
        buffers[SESSION_PROGRESS] = sessions.late
        stores = replace(stores, sessions=sessions)
    if times.window_mark_delay:
        buffers[WINDOW_MARKS] = build_window_marks(stores.windows, delay=times.window_mark_delay)
    return stores, buffers
