"""Wires the extractor: rules or a language model turn messages into memories."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from fastapi import APIRouter

from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.clock import Clock
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.reconciliation import ReconcilerTimes
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.delivery.write_behind import WriteBehindBuffer, flush_buffers
from palimpsest_server.models.call_accounting import CallAccounting
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.erasure.extractor import ExtractorEraser
from palimpsest_server.stores.ledger import Ledger
from services.extractor.answer_wording import AnswerWorder, build_answer_router
from services.extractor.backlog_watch import BacklogWatch
from services.extractor.extraction_preview import ExtractionPreviewer, build_preview_router
from services.extractor.extractor_stores import ExtractorStores
from services.extractor.handlers import ModelRequestHandler
from services.extractor.metrics import ExtractorMetrics
from services.extractor.model_pool import ModelPool
from services.extractor.publish_answers import AnswerPublisher
from services.extractor.publish_usage import UsagePublisher
from services.extractor.reconciler import (
    CONFIRMATION_INTERVAL,
    PUBLISHED_MARK_DELAY,
    ExtractorReconciler,
)
from services.extractor.session_transcript import TranscriptReader
from services.extractor.settle_answers import BATCH_WAIT_SECONDS, AnswerSettlement
from services.extractor.summary_schedule import SummaryScheduler
from services.extractor.task_providers import (
    TaskProviders,
    build_answer_routes,
    build_task_providers,
)
from services.extractor.workers import LEASE_CHECK_SECONDS, ModelRequestWorkers, WorkerLimits

NAME = "extractor"
LEASING = "leasing"

MODEL_CALLS_PER_LEASE = 3.0

SETTLEMENT_BACKOFF = Backoff()

SHUTDOWN_GRACE = timedelta(seconds=10)
"""How long requests in hand may take when the service stops."""


@dataclass(frozen=True, kw_only=True)
class ExtractorTimes:
    """Durations that no setting decides."""

    published_mark_delay: timedelta = PUBLISHED_MARK_DELAY
    """How long marks of published answers are buffered; zero writes them at once."""
    answer_wait_seconds: float = BATCH_WAIT_SECONDS
    """How long an answer of the rules waits for others."""
    settlement_backoff: Backoff = SETTLEMENT_BACKOFF
    """Waits before an answer that could not be stored or published is tried again."""


@dataclass(frozen=True, kw_only=True)
class ExtractorService:
    name = NAME

    bus: ServiceBus
    supervisor: Supervisor
    providers: TaskProviders
    wake: asyncio.Event
    """Set when there is something to lease."""
    handler: ModelRequestHandler
    workers: ModelRequestWorkers
    reconciler: ExtractorReconciler
    summary_scheduler: SummaryScheduler
    usage_publisher: UsagePublisher
    backlog_watch: BacklogWatch
    published_marks: WriteBehindBuffer[str, datetime]
    routers: Sequence[APIRouter] = ()
    checks: Mapping[str, ReadinessCheck]
    clock: Clock
    log_was_lost: bool

    async def start(self) -> None:
        started_at = self.clock()
        loading = asyncio.create_task(self.providers.start())
        try:
            await self.bus.start()
            await loading
        finally:
            loading.cancel()
        lost_before = started_at if self.log_was_lost else None
        self.supervisor.start(LEASING, self.workers.run)
        self.supervisor.start("settlement", self.workers.settle)
        self.supervisor.start("reconciler", partial(self.reconciler.watch, lost_before=lost_before))
        self.supervisor.start("backlog", self.backlog_watch.run)
        self.supervisor.start("summaries", self.summary_scheduler.watch)
        self.supervisor.start("usage", self.usage_publisher.watch)
        self.supervisor.start("published marks", self.published_marks.run)

    async def stop(self) -> None:
        await self.supervisor.stop(LEASING)
        await self.workers.finish(within=SHUTDOWN_GRACE)
        await self.supervisor.stop()
        await flush_buffers([self.published_marks])
        await self.providers.stop()
        await self.bus.stop()


def build(
    platform: Platform,
    *,
    stores: ExtractorStores | None = None,
    providers: TaskProviders | None = None,
    times: ExtractorTimes = ExtractorTimes(),
) -> ExtractorService:
    """Wire the extractor of this process.

    Raises:
        PermanentError: the settings name a model that cannot be had.
    """
    settings, clock, users = platform.settings, platform.clock, platform.users
    bus, supervisor = platform.open_bus(NAME), platform.supervise(NAME)
    publisher, metrics = bus.publisher, ExtractorMetrics(platform.registry)
    stores = stores or ExtractorStores.in_database(platform.database)
    ledger, wake = stores.ledger, asyncio.Event()
    users.follow(bus.changes)
    bus.erasure_worker.register(
        ExtractorEraser(platform.database, ledger, stores.summary_needs, clock)
    )
    published = _build_published_marks(ledger, times.published_mark_delay)
    proposals = AnswerPublisher(
        ledger,
        publisher=publisher,
        dead_letter=bus.dead_letter,
        states=users,
        metrics=metrics,
        clock=clock,
        published=published if times.published_mark_delay else None,
    )
    summaries = SummaryScheduler(
        stores.summary_needs,
        stores.sessions,
        ledger,
        states=users,
        erasures=stores.erasures,
        wake=wake,
        clock=clock,
        idle_after=timedelta(minutes=settings.extraction_idle_minutes),
    )
    handler = ModelRequestHandler(
        ledger, states=users, wake=wake, metrics=metrics, clock=clock, summing_up=summaries
    )
    bus.consume(EXTRACTIONS, handler.handle, batch_interval_seconds=LEASE_CHECK_SECONDS)
    accounting = CallAccounting(stores.calls, clock=clock)
    usage = UsagePublisher(
        stores.calls,
        accounting,
        publisher=publisher,
        states=users,
        metrics=metrics,
        clock=clock,
        lost_after=_lease(settings),
    )
    providers = providers or build_task_providers(
        settings,
        ModelPool(
            settings,
            spending=stores.spending,
            registry=platform.registry,
            clock=clock,
            accounting=accounting,
        ),
        platform.rules,
    )
    transcripts = TranscriptReader(
        stores.turns, stores.summaries, stores.erasures, platform.stored_users, stores.sessions
    )
    workers = ModelRequestWorkers(
        ledger,
        build_answer_routes(providers, transcripts, clock),
        AnswerSettlement(
            ledger,
            proposals,
            metrics=metrics,
            clock=clock,
            backoff=times.settlement_backoff,
            wait_seconds=times.answer_wait_seconds,
        ),
        dead_letter=bus.dead_letter,
        room=providers.room,
        summing_up=summaries,
        wake=wake,
        metrics=metrics,
        clock=clock,
        limits=WorkerLimits(
            requests_at_once=settings.extractor_concurrent_requests,
            lease=_lease(settings),
            maximum_attempts=settings.extractor_maximum_attempts,
        ),
    )
    previewing = ExtractionPreviewer(
        providers.first, users, PrivacyPolicy.of(settings.privacy), clock
    )
    worder = AnswerWorder(providers.answers, stores.memories, users, clock)
    interval = timedelta(seconds=settings.reconcile_interval_seconds)
    reconciler = ExtractorReconciler(
        ledger,
        decided=stores.change_sets.known,
        dead_letters=stores.dead_letters,
        proposals=proposals,
        wake=wake,
        metrics=metrics,
        clock=clock,
        times=ReconcilerTimes(
            interval=min(interval, CONFIRMATION_INTERVAL),
            grace=timedelta(seconds=settings.reconcile_grace_seconds),
        ),
        confirmed=published.drop,
        waiting=published.waiting,
    )
    return ExtractorService(
        bus=bus,
        supervisor=supervisor,
        providers=providers,
        wake=wake,
        handler=handler,
        workers=workers,
        reconciler=reconciler,
        summary_scheduler=summaries,
        usage_publisher=usage,
        backlog_watch=BacklogWatch(ledger, metrics=metrics, clock=clock),
        published_marks=published,
        routers=(build_preview_router(previewing), build_answer_router(worder)),
        checks={
            "kafka": bus.check,
            "mongodb": platform.database.ping,
            "provider": providers.check,
            "background tasks": supervisor.check,
            "lost events": reconciler.check,
        },
        clock=clock,
        log_was_lost=settings.kafka_volatile,
    )


def _lease(settings: Settings) -> timedelta:
    # The lease covers two attempts at an answer; the rest of it is for storing the answer.
    seconds = max(
        settings.extractor_lease_seconds, MODEL_CALLS_PER_LEASE * settings.model_timeout_seconds
    )
    return timedelta(seconds=seconds)


def _build_published_marks(ledger: Ledger, delay: timedelta) -> WriteBehindBuffer[str, datetime]:
    async def write(published: Mapping[str, datetime]) -> None:
        await ledger.mark_published(list(published), now=max(published.values()))

    return WriteBehindBuffer(write, behind=delay)
