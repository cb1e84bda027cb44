"""Wires ingest: what chat services say, from Kafka and over HTTP, by one path."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from fastapi import APIRouter

from palimpsest.events.topics import CONVERSATIONS
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.write_behind import WriteBehindBuffer, flush_buffers
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck, Service
from palimpsest_server.stores.cached_sessions import CachedSessions
from palimpsest_server.stores.dead_letters import MongoDeadLetters
from palimpsest_server.stores.erasure.ingest import IngestEraser
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from services.ingest import event_routes, session_routes
from services.ingest.extract_on_request import OnDemandExtraction
from services.ingest.http_intake import HttpIntake
from services.ingest.ingest_stores import IngestStores
from services.ingest.metrics import IngestMetrics
from services.ingest.pipeline import IngestPipeline
from services.ingest.publication_effects import PublicationEffects
from services.ingest.publish_windows import WindowPublisher, build_window_marks
from services.ingest.reconciler import IngestReconciler, IngestReconcilerTimes
from services.ingest.turn_retention import TurnRetention
from services.ingest.write_behind_sessions import WriteBehindSessions

NAME = "ingest"

SESSION_WRITE_DELAY = timedelta(seconds=6)
"""What a session has come to is written so much later: each write of one costs the embedded database
three milliseconds, at 200 messages a second 6 % of its time with every two seconds."""

BATCH_INTERVAL_SECONDS = 0.06
"""Between the beginnings of two batches, and so of those that the embedder gets. At 100 messages a
second six come at once in place of two, and a message takes a fifth less of the processor's time
from all that works on it; the first after a pause is taken in at once."""


class IngestService:
    name = NAME

    def __init__(
        self,
        *,
        bus: ServiceBus,
        reconciler: IngestReconciler,
        expiring: TurnRetention | None,
        late: Sequence[WriteBehindBuffer[Any, Any]],
        routers: Sequence[APIRouter],
        mongodb: ReadinessCheck,
        log_was_lost: bool,
    ) -> None:
        self._bus = bus
        self._reconciler = reconciler
        self._expiring = expiring
        self._late = late
        self._log_was_lost = log_was_lost
        self._watching: list[asyncio.Task[None]] = []
        self.routers = routers
        self.checks: Mapping[str, ReadinessCheck] = {"kafka": bus.check, "mongodb": mongodb}

    async def start(self) -> None:
        await self._bus.start()
        if self._log_was_lost:
            await self._reconciler.number_what_was_accepted()
        watches = [self._reconciler.watch(log_was_lost=self._log_was_lost)]
        if self._expiring is not None:
            watches.append(self._expiring.watch())
        watches += [marks.run() for marks in self._late]
        self._watching = [asyncio.create_task(each) for each in watches]

    async def stop(self) -> None:
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        await self._bus.stop()
        await flush_buffers(self._late)


def build(platform: Platform) -> Service:
    settings, clock = platform.settings, platform.clock
    own_bus = platform.open_bus(NAME)
    publisher = own_bus.publisher
    metrics = IngestMetrics(platform.registry)
    users = platform.users
    users.follow(own_bus.changes)
    own_bus.erasure_worker.register(IngestEraser(platform.database))
    keeping = IngestStores.in_database(platform.database)
    trailing = WriteBehindSessions(keeping.sessions, behind=SESSION_WRITE_DELAY)
    written, keeping = keeping, replace(keeping, sessions=trailing)
    windows_published = build_window_marks(keeping.windows)
    idle_after = timedelta(minutes=settings.extraction_idle_minutes)
    sessions = CachedSessions(
        keeping.sessions, clock=clock, looked_up=platform.caches.of("sessions")
    )
    privacy = PrivacyPolicy.of(settings.privacy)
    windowing = WindowPublisher(
        keeping=keeping,
        sessions=sessions,
        publisher=publisher,
        metrics=metrics,
        clock=clock,
        rounds=settings.extraction_window_rounds,
        context_messages=settings.extraction_context_messages,
        published=windows_published,
    )
    intake = IngestPipeline(
        keeping=keeping,
        sessions=sessions,
        users=users,
        publisher=publisher,
        windowing=windowing,
        metrics=metrics,
        clock=clock,
        idle_after=idle_after,
        privacy=privacy,
    )
    own_bus.consume(CONVERSATIONS, intake.take, apart_seconds=BATCH_INTERVAL_SECONDS)
    accepting = HttpIntake(
        # Whoever sent it waits for its answer.
        keeping=IngestStores.in_database(platform.answering_database),
        users=users,
        publisher=publisher,
        metrics=metrics,
        clock=clock,
        privacy=privacy,
    )
    reconciler = IngestReconciler(
        # What it confirms must not rest on what may still be lost.
        keeping=written,
        effects=PublicationEffects(
            vectors=platform.vectors,
            ledger=MongoLedger(platform.database),
            change_sets=MongoChangeSets(platform.database),
            dead_letters=MongoDeadLetters(platform.database),
        ),
        users=users,
        publisher=publisher,
        windowing=windowing,
        metrics=metrics,
        clock=clock,
        take=intake.take,
        times=IngestReconcilerTimes(
            interval=timedelta(seconds=settings.reconcile_interval_seconds),
            grace=timedelta(seconds=settings.reconcile_grace_seconds),
            idle_after=idle_after,
        ),
    )
    extracting = OnDemandExtraction(
        keeping=keeping,
        sessions=keeping.sessions,
        users=users,
        windowing=windowing,
        clock=clock,
        rounds=settings.extraction_window_rounds,
    )
    expiring = TurnRetention(
        keeping.turns,
        publisher=publisher,
        metrics=metrics,
        clock=clock,
        retention=timedelta(days=settings.turn_retention_days),
    )
    return IngestService(
        bus=own_bus,
        reconciler=reconciler,
        expiring=expiring if settings.turn_retention_days else None,
        late=(trailing.late, windows_published),
        routers=(
            event_routes.build_event_router(accepting, clock),
            session_routes.build_session_router(
                MongoSummaries(platform.database), users, clock, extracting
            ),
        ),
        mongodb=platform.database.ping,
        log_was_lost=settings.kafka_volatile,
    )
