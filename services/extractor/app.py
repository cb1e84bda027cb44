"""The extractor, wired."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from fastapi import APIRouter

from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.write_behind import WriteBehindBuffer, flush_buffers
from palimpsest_server.models.call_accounting import CallAccounting
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck, Service
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.cached_user_states import StoredUserStates
from palimpsest_server.stores.dead_letters import MongoDeadLetters
from palimpsest_server.stores.decided_erasures import MongoErasures
from palimpsest_server.stores.erasure.extractor import ExtractorEraser
from palimpsest_server.stores.ledger import Ledger
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.mongo.usage import MongoUsage
from palimpsest_server.stores.spending import MongoSpending
from palimpsest_server.stores.summary_needs import MongoSummaryNeeds
from services.extractor.backlog_watch import BacklogWatch
from services.extractor.handlers import ModelRequestHandler
from services.extractor.metrics import ExtractorMetrics
from services.extractor.model_pool import ModelPool
from services.extractor.publish_answers import AnswerPublisher
from services.extractor.publish_usage import UsagePublisher
from services.extractor.reconciler import (
    CONFIRMATION_INTERVAL,
    PUBLISHED_MARK_DELAY,
    ExtractorReconciler,
    ExtractorReconcilerTimes,
)
from services.extractor.session_transcript import TranscriptReader
from services.extractor.settle_answers import AnswerSettlement
from services.extractor.summary_schedule import SummaryScheduler
from services.extractor.task_providers import (
    TaskProviders,
    build_answer_routes,
    build_task_providers,
)
from services.extractor.workers import LEASE_CHECK_SECONDS, ModelRequestWorkers, WorkerLimits

NAME = "extractor"

MODEL_CALLS_PER_LEASE = 3.0

SHUTDOWN_GRACE = timedelta(seconds=10)
"""How long what is in hand may take when the service stops."""


class ExtractorService:
    name = NAME
    routers: Sequence[APIRouter] = ()

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        bus: ServiceBus,
        providers: TaskProviders,
        workers: ModelRequestWorkers,
        reconciler: ExtractorReconciler,
        summing_up: SummaryScheduler,
        telling: UsagePublisher,
        backlog: BacklogWatch,
        checks: Mapping[str, ReadinessCheck],
        clock: Clock,
        log_was_lost: bool,
        published: WriteBehindBuffer[str, datetime],
    ) -> None:
        self._published = published
        self._bus = bus
        self._providers = providers
        self._workers = workers
        self._reconciler = reconciler
        self._summing_up = summing_up
        self._telling = telling
        self._backlog = backlog
        self._clock = clock
        self._log_was_lost = log_was_lost
        self._leasing: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.checks = checks

    async def start(self) -> None:
        started_at = self._clock()
        loading = asyncio.create_task(self._providers.start())
        try:
            await self._bus.start()
            await loading
        finally:
            loading.cancel()
        lost_before = started_at if self._log_was_lost else None
        self._leasing = asyncio.create_task(self._workers.run())
        self._tasks = [
            asyncio.create_task(each)
            for each in (
                self._workers.settle(),
                self._reconciler.watch(lost_before=lost_before),
                self._backlog.run(),
                self._summing_up.watch(),
                self._telling.watch(),
                self._published.run(),
            )
        ]

    async def stop(self) -> None:
        if self._leasing is not None:
            await _cancelled(self._leasing)
            await self._workers.finish(within=SHUTDOWN_GRACE)
        await _cancelled(*self._tasks)
        await flush_buffers([self._published])
        await self._providers.stop()
        await self._bus.stop()


async def _cancelled(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _lease(settings: Settings) -> timedelta:
    # An answer may be asked for twice, and what is left of the lease is for storing it.
    seconds = max(
        settings.extractor_lease_seconds, MODEL_CALLS_PER_LEASE * settings.model_timeout_seconds
    )
    return timedelta(seconds=seconds)


def build(platform: Platform) -> Service:
    settings, clock, database = platform.settings, platform.clock, platform.database
    own_bus = platform.open_bus(NAME)
    metrics = ExtractorMetrics(platform.registry)
    states = platform.users
    states.follow(own_bus.changes)
    ledger, wake = MongoLedger(database), asyncio.Event()
    summary_needs, erasures = MongoSummaryNeeds(database), MongoErasures(database)
    own_bus.erasure_worker.register(ExtractorEraser(database, ledger, summary_needs, clock))
    published = _marks_of_answers(ledger)
    proposals = AnswerPublisher(
        ledger,
        publisher=own_bus.publisher,
        dead_letter=own_bus.dead_letter,
        states=states,
        metrics=metrics,
        clock=clock,
        published=published,
    )
    summing_up = SummaryScheduler(
        summary_needs,
        MongoSessions(database),
        ledger,
        states=states,
        erasures=erasures,
        wake=wake,
        clock=clock,
        idle_after=timedelta(minutes=settings.extraction_idle_minutes),
    )
    intake = ModelRequestHandler(
        ledger, states=states, wake=wake, metrics=metrics, clock=clock, summing_up=summing_up
    )
    own_bus.consume(EXTRACTIONS, intake.handle, apart_seconds=LEASE_CHECK_SECONDS)
    spending = MongoSpending(database)
    calls = MongoUsage(database)
    accounting = CallAccounting(calls, clock=clock)
    telling = UsagePublisher(
        calls,
        accounting,
        publisher=own_bus.publisher,
        states=states,
        metrics=metrics,
        clock=clock,
        lost_after=_lease(settings),
    )
    models = ModelPool(
        settings,
        spending=spending,
        registry=platform.registry,
        clock=clock,
        accounting=accounting,
    )
    providers = build_task_providers(settings, models)
    workers = ModelRequestWorkers(
        ledger,
        build_answer_routes(
            providers,
            TranscriptReader(
                MongoTurns(database),
                MongoSummaries(database),
                erasures,
                StoredUserStates.in_database(database),
            ),
            clock,
        ),
        AnswerSettlement(ledger, proposals, metrics=metrics, clock=clock),
        dead_letter=own_bus.dead_letter,
        room=providers.room,
        summing_up=summing_up,
        wake=wake,
        metrics=metrics,
        clock=clock,
        limits=WorkerLimits(
            requests_at_once=settings.extractor_concurrent_requests,
            lease=_lease(settings),
            maximum_attempts=settings.extractor_maximum_attempts,
        ),
    )
    reconciler = ExtractorReconciler(
        ledger,
        decided=MongoChangeSets(database).known,
        dead_letters=MongoDeadLetters(database),
        proposals=proposals,
        wake=wake,
        metrics=metrics,
        clock=clock,
        times=ExtractorReconcilerTimes(
            interval=min(
                timedelta(seconds=settings.reconcile_interval_seconds), CONFIRMATION_INTERVAL
            ),
            grace=timedelta(seconds=settings.reconcile_grace_seconds),
        ),
        confirmed=published.drop,
        waiting=published.waiting,
    )
    return ExtractorService(
        bus=own_bus,
        providers=providers,
        workers=workers,
        reconciler=reconciler,
        summing_up=summing_up,
        telling=telling,
        backlog=BacklogWatch(ledger, metrics=metrics, clock=clock),
        checks={"kafka": own_bus.check, "mongodb": database.ping, "provider": providers.check},
        clock=clock,
        log_was_lost=settings.kafka_volatile,
        published=published,
    )


def _marks_of_answers(ledger: Ledger) -> WriteBehindBuffer[str, datetime]:
    async def write(published: Mapping[str, datetime]) -> None:
        await ledger.mark_published(list(published), now=max(published.values()))

    return WriteBehindBuffer(write, behind=PUBLISHED_MARK_DELAY)
