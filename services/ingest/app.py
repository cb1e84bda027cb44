"""Wires ingest: what chat services say, from Kafka and over HTTP, by one path."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from fastapi import APIRouter

from palimpsest.contracts.topics import CONVERSATIONS
from palimpsest.delivery.bus import Bus
from palimpsest.delivery.late_marks import LateMarks, flushed
from palimpsest.domain.privacy.policy import PrivacyPolicy
from palimpsest.runtime.kafka import bus
from palimpsest.runtime.service import Check, Platform, Service
from palimpsest.stores.change_sets_mongo import MongoChangeSets
from palimpsest.stores.dead_letters import MongoDeadLetters
from palimpsest.stores.erasing.ingest import IngestEraser
from palimpsest.stores.ledger_mongo import MongoLedger
from palimpsest.stores.sessions_cached import CachedSessions
from palimpsest.stores.summaries_mongo import MongoSummaries
from services.ingest import http
from services.ingest import sessions as session_routes
from services.ingest.accepting import Accepting
from services.ingest.effects import Effects
from services.ingest.expiring import Expiring
from services.ingest.extracting import Extracting
from services.ingest.intake import Intake
from services.ingest.keeping import Keeping
from services.ingest.metrics import IngestMetrics
from services.ingest.reconciler import Reconciler, ReconcilerTimes
from services.ingest.trailing_sessions import TrailingSessions
from services.ingest.windowing import Windowing, late_marks

NAME = "ingest"

SESSIONS_BEHIND = timedelta(seconds=6)
"""What a session has come to is written so much later: each write of one costs the embedded database
three milliseconds, at 200 messages a second 6 % of its time with every two seconds."""

APART_SECONDS = 0.06
"""Between the beginnings of two batches, and so of those that the embedder gets. At 100 messages a
second six come at once in place of two, and a message takes a fifth less of the processor's time
from all that works on it; the first after a pause is taken in at once."""


class IngestService:
    name = NAME

    def __init__(
        self,
        *,
        bus: Bus,
        reconciler: Reconciler,
        expiring: Expiring | None,
        late: Sequence[LateMarks[Any, Any]],
        routers: Sequence[APIRouter],
        mongodb: Check,
        log_was_lost: bool,
    ) -> None:
        self._bus = bus
        self._reconciler = reconciler
        self._expiring = expiring
        self._late = late
        self._log_was_lost = log_was_lost
        self._watching: list[asyncio.Task[None]] = []
        self.routers = routers
        self.checks: Mapping[str, Check] = {"kafka": bus.check, "mongodb": mongodb}

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
        await flushed(self._late)


def build(platform: Platform) -> Service:
    settings, clock = platform.settings, platform.clock
    own_bus = bus(platform, NAME)
    publisher = own_bus.publisher
    metrics = IngestMetrics(platform.registry)
    users = platform.users
    users.follow(own_bus.changes)
    own_bus.obeying.also(IngestEraser(platform.database))
    keeping = Keeping.in_database(platform.database)
    trailing = TrailingSessions(keeping.sessions, behind=SESSIONS_BEHIND)
    written, keeping = keeping, replace(keeping, sessions=trailing)
    windows_published = late_marks(keeping.windows)
    idle_after = timedelta(minutes=settings.extraction_idle_minutes)
    sessions = CachedSessions(
        keeping.sessions, clock=clock, looked_up=platform.caches.of("sessions")
    )
    privacy = PrivacyPolicy.of(settings.privacy)
    windowing = Windowing(
        keeping=keeping,
        sessions=sessions,
        publisher=publisher,
        metrics=metrics,
        clock=clock,
        rounds=settings.extraction_window_rounds,
        context_messages=settings.extraction_context_messages,
        published=windows_published,
    )
    intake = Intake(
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
    own_bus.consume(CONVERSATIONS, intake.take, apart_seconds=APART_SECONDS)
    accepting = Accepting(
        # Whoever sent it waits for its answer.
        keeping=Keeping.in_database(platform.answering_database),
        users=users,
        publisher=publisher,
        metrics=metrics,
        clock=clock,
        privacy=privacy,
    )
    reconciler = Reconciler(
        # What it confirms must not rest on what may still be lost.
        keeping=written,
        effects=Effects(
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
        times=ReconcilerTimes(
            interval=timedelta(seconds=settings.reconcile_interval_seconds),
            grace=timedelta(seconds=settings.reconcile_grace_seconds),
            idle_after=idle_after,
        ),
    )
    extracting = Extracting(
        keeping=keeping,
        sessions=keeping.sessions,
        users=users,
        windowing=windowing,
        clock=clock,
        rounds=settings.extraction_window_rounds,
    )
    expiring = Expiring(
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
            http.routes(accepting, clock),
            session_routes.routes(MongoSummaries(platform.database), users, clock, extracting),
        ),
        mongodb=platform.database.ping,
        log_was_lost=settings.kafka_volatile,
    )
