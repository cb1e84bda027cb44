"""Wires the consolidator: the only writer of memories, settings and vectors."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import TypeAlias

from fastapi import APIRouter

from palimpsest.events.topics import WRITES
from palimpsest_server.delivery.erasure_worker import ErasureWorker
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.domain.compression.merge_thresholds import get_merge_threshold
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck, Service
from palimpsest_server.stores.cached_user_states import StoredUserStates
from palimpsest_server.stores.erasure.completions import CompletionEraser
from palimpsest_server.stores.erasure.consolidator import (
    MemoryEraser,
    ProfileEraser,
    SummaryEraser,
)
from palimpsest_server.stores.erasure.history import HistoryEraser
from palimpsest_server.stores.erasure.user_keys import KeyEraser
from palimpsest_server.stores.erasure.vectors import VectorEraser
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.reports import MongoReports
from services.consolidator.component_factory import ConsolidatorFactory
from services.consolidator.consolidator_stores import ConsolidatorStores
from services.consolidator.finish_change_sets import ChangeSetFinisher
from services.consolidator.maintenance.maintenance_schedule import MaintenanceScheduler
from services.consolidator.maintenance.purge_schedule import PurgeScheduler
from services.consolidator.maintenance.quality_reporter import QualityReporter
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.reconciler import ChangeSetReconciler
from services.consolidator.rewrite_summaries import SummaryRewriter
from services.consolidator.summary_changes import ExpiredSummarySweep, SummaryPoints
from services.consolidator.todo_reminders import ReminderSender
from services.consolidator.vector_projection import VectorProjection

NAME = "consolidator"

BackgroundTask: TypeAlias = Callable[[], Coroutine[None, None, None]]


class ConsolidatorService:
    name = NAME
    routers: Sequence[APIRouter] = ()

    def __init__(
        self,
        *,
        bus: ServiceBus,
        namespaces: NamespaceRegistry,
        reconciler: ChangeSetReconciler,
        scheduler: MaintenanceScheduler | None,
        finishing: ChangeSetFinisher,
        watches: Sequence[BackgroundTask],
        log_was_lost: bool,
        checks: Mapping[str, ReadinessCheck],
    ) -> None:
        self._bus = bus
        self._namespaces = namespaces
        self._reconciler = reconciler
        self._scheduler = scheduler
        self._finishing = finishing
        self._watches = watches
        self._log_was_lost = log_was_lost
        self._watching: list[asyncio.Task[None]] = []
        self.checks = checks

    async def start(self) -> None:
        await self._namespaces.verify()
        await self._finishing.erasing.load()
        await self._bus.start()
        watches = [
            self._reconciler.watch(log_was_lost=self._log_was_lost),
            *(watch() for watch in self._watches),
            *(() if self._scheduler is None else (self._scheduler.watch(),)),
        ]
        self._watching = [asyncio.create_task(each) for each in watches]

    async def stop(self) -> None:
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        await self._bus.stop(last=self._finishing.noted)


def build(platform: Platform) -> Service:
    settings, database, clock = platform.settings, platform.database, platform.clock
    own_bus = platform.open_bus(NAME)
    keeping = ConsolidatorStores.in_database(
        database, layout=settings.layout, model=platform.embedder.model.slug
    )
    wiring = ConsolidatorFactory(
        keeping=keeping,
        users=StoredUserStates.in_database(database),
        vectors=platform.vectors,
        publisher=own_bus.publisher,
        metrics=ConsolidatorMetrics(platform.registry),
        clock=clock,
    )
    _obey(platform, own_bus.erasure_worker, keeping)
    projecting, points = wiring.projecting(), wiring.points()
    finishing = wiring.finishing(projecting, points, wake=own_bus.erasure_worker.wake)
    threshold = get_merge_threshold(platform.embedder.model.slug, settings.similarity_thresholds)
    judges, reflects = (
        settings.model_of(task) is not None for task in (ModelTask.JUDGEMENT, ModelTask.REFLECTION)
    )
    writing = wiring.writing(
        finishing,
        projecting,
        wiring.questioning(threshold=threshold) if judges else None,
        recent=platform.users,
        maintaining=wiring.maintaining(
            tier=settings.default_tier, threshold=threshold, reflects=reflects
        ),
    )
    own_bus.consume(WRITES, writing.handle)
    checks: dict[str, ReadinessCheck] = {"kafka": own_bus.check, "mongodb": database.ping}
    if platform.vectors is not None:
        checks["vectors"] = platform.vectors.check
    return ConsolidatorService(
        bus=own_bus,
        namespaces=keeping.namespaces,
        reconciler=wiring.reconciler(
            finishing,
            wiring.comparing(projecting),
            interval=timedelta(seconds=settings.reconcile_interval_seconds),
            grace=timedelta(seconds=settings.reconcile_grace_seconds),
        ),
        scheduler=_scheduler(platform, wiring, own_bus, projecting)
        if settings.maintenance
        else None,
        finishing=finishing,
        watches=_watches(platform, wiring, own_bus, points),
        log_was_lost=settings.kafka_volatile,
        checks=checks,
    )


def _obey(platform: Platform, erasure_worker: ErasureWorker, keeping: ConsolidatorStores) -> None:
    """Erase whatever is kept here; keys behind all others of this stage."""
    database, vectors = platform.database, platform.vectors
    memories, namespaces = keeping.memories, keeping.namespaces
    erasure_worker.register(MemoryEraser(memories, namespaces))
    erasure_worker.register(HistoryEraser(database))
    erasure_worker.register(ProfileEraser(database))
    erasure_worker.register(CompletionEraser(database))
    erasure_worker.register(SummaryEraser(database, vectors))
    if vectors is not None:
        erasure_worker.register(VectorEraser(database, vectors, memories, namespaces))
    else:
        erasure_worker.leave_to_others()
    if database.sealing is not None:
        erasure_worker.register(KeyEraser(database.sealing.keyring))


def _scheduler(
    platform: Platform,
    wiring: ConsolidatorFactory,
    own_bus: ServiceBus,
    projecting: VectorProjection | None,
) -> MaintenanceScheduler:
    settings, keeping = platform.settings, wiring.keeping
    return MaintenanceScheduler(
        namespaces=keeping.namespaces,
        users=wiring.users,
        change_sets=keeping.change_sets,
        publisher=own_bus.publisher,
        reporting=QualityReporter(
            keeping.memories,
            MongoReports(platform.database),
            projecting=projecting,
            vectors=platform.vectors,
            embedder=platform.embedder,
            metrics=wiring.metrics,
            clock=platform.clock,
        ),
        owns=partial(own_bus.owns, WRITES),
        report_days=settings.maintenance_report_days,
        clock=platform.clock,
        interval=timedelta(seconds=settings.maintenance_interval_seconds),
    )


def _watches(
    platform: Platform,
    wiring: ConsolidatorFactory,
    own_bus: ServiceBus,
    points: SummaryPoints | None,
) -> Sequence[BackgroundTask]:
    """List the periodic tasks beside the reconciler and the scheduler."""
    keeping, clock = wiring.keeping, platform.clock
    owns = partial(own_bus.owns, WRITES)
    return (
        ReminderSender(keeping.todos, publisher=own_bus.publisher, clock=clock).watch,
        wiring.describing().watch,
        ExpiredSummarySweep(keeping.summaries, points, clock=clock).watch,
        SummaryRewriter(
            withheld=keeping.withheld,
            summaries=keeping.summaries,
            ledger=MongoLedger(platform.database),
            users=wiring.users,
            publisher=own_bus.publisher,
            owns=owns,
            clock=clock,
        ).watch,
        PurgeScheduler(
            namespaces=keeping.namespaces,
            memories=keeping.memories,
            change_sets=keeping.change_sets,
            users=wiring.users,
            publisher=own_bus.publisher,
            owns=owns,
            clock=clock,
        ).watch,
    )
