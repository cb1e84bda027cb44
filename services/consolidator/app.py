"""Wires the consolidator: the only writer of memories, settings and vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from fastapi import APIRouter

from palimpsest.events.topics import WRITES
from palimpsest_server.delivery.erasure_worker import ErasureWorker
from palimpsest_server.delivery.reconciliation import ReconcilerTimes
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.supervisor import BackgroundTask, Supervisor
from palimpsest_server.embedders.merge_threshold import MergeThreshold
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.runtime.settings import Mode
from palimpsest_server.stores.cached_user_states import StoredUserStates
from palimpsest_server.stores.erasure.completions import CompletionEraser
from palimpsest_server.stores.erasure.consolidator import (
    MemoryEraser,
    ProfileEraser,
    SummaryEraser,
)
from palimpsest_server.stores.erasure.history import HistoryEraser
from palimpsest_server.stores.erasure.set_aside import SetAsideEraser
from palimpsest_server.stores.erasure.user_keys import KeyEraser
from palimpsest_server.stores.erasure.vectors import VectorEraser
from palimpsest_server.stores.namespaces import NamespaceRegistry
from services.consolidator.commands.command_reader import CommandReader
from services.consolidator.completion_reports import CompletionReports
from services.consolidator.consolidator_stores import ConsolidatorStores
from services.consolidator.derived_records import DerivedRecords
from services.consolidator.duplicate_questions import DuplicateQuestions
from services.consolidator.entity_lookup import EntityLookup
from services.consolidator.erasure_step import ErasureStep
from services.consolidator.finish_change_sets import ChangeSetFinisher
from services.consolidator.forgotten_topics import ForgottenTopics
from services.consolidator.handlers import WriteHandler
from services.consolidator.maintenance.coordinator import MaintenanceCoordinator
from services.consolidator.maintenance.inspection_reader import (
    DEFAULT_INSPECTION_TIMES,
    InspectionTimes,
)
from services.consolidator.maintenance.maintenance_schedule import MaintenanceScheduler
from services.consolidator.maintenance.purge_schedule import PurgeScheduler
from services.consolidator.maintenance.quality_reporter import QualityReporter
from services.consolidator.memory_counts import MemoryCensus
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.off_the_record_commands import OffTheRecordCommands
from services.consolidator.reconciler import ChangeSetReconciler, ProjectionComparison
from services.consolidator.refresh_profiles import ProfileRefresher
from services.consolidator.related_records import RelatedRecordReader
from services.consolidator.rewrite_summaries import SummaryRewriter
from services.consolidator.similarity_calibration import watch_merge_threshold
from services.consolidator.summary_changes import ExpiredSummarySweep, SummaryPoints
from services.consolidator.todo_reminders import ReminderSender, TodoLookup
from services.consolidator.turn_comparison import TurnComparison
from services.consolidator.vector_projection import VectorProjection
from services.consolidator.write_batch import BatchWriter

NAME = "consolidator"


@dataclass(frozen=True, kw_only=True)
class ConsolidatorService:
    name = NAME

    bus: ServiceBus
    supervisor: Supervisor
    metrics: ConsolidatorMetrics
    namespaces: NamespaceRegistry
    projection: VectorProjection | None
    """None if another process has the vectors: that process projects the decisions made here."""
    summary_points: SummaryPoints | None
    finisher: ChangeSetFinisher
    duplicate_questions: DuplicateQuestions | None
    writer: BatchWriter
    comparison: ProjectionComparison | None
    turn_comparison: TurnComparison | None
    reconciler: ChangeSetReconciler
    reminders: ReminderSender
    profiles: ProfileRefresher
    background_tasks: Mapping[str, BackgroundTask]
    routers: Sequence[APIRouter] = ()
    checks: Mapping[str, ReadinessCheck]

    async def start(self) -> None:
        await self.namespaces.verify()
        await self.finisher.erasing.load()
        await self.bus.start()
        for name, run in self.background_tasks.items():
            self.supervisor.start(name, run)

    async def stop(self) -> None:
        await self.supervisor.stop()
        await self.bus.stop(last=self.finisher.noted)


def build(
    platform: Platform,
    *,
    stores: ConsolidatorStores | None = None,
    inspection_times: InspectionTimes = DEFAULT_INSPECTION_TIMES,
) -> ConsolidatorService:
    """Wire the consolidator of this process."""
    settings, clock, vectors = platform.settings, platform.clock, platform.vectors
    bus, supervisor = platform.open_bus(NAME), platform.supervise(NAME)
    publisher, metrics = bus.publisher, ConsolidatorMetrics(platform.registry)
    stores = stores or ConsolidatorStores.in_database(
        platform.database,
        layout=settings.layout,
        model=platform.embedder.model.slug,
        embedded=settings.mode is Mode.EMBEDDED,
    )
    users = StoredUserStates(stores.settings, stores.epochs, stores.erasures, stores.withheld)
    owns = partial(bus.owns, WRITES)
    _register_erasers(bus.erasure_worker, platform, stores)

    projection = points = comparison = turn_comparison = None
    if vectors is not None:
        projection = VectorProjection(
            vectors, memories=stores.memories, publisher=publisher, metrics=metrics, clock=clock
        )
        points = SummaryPoints(
            vectors, stores.summaries, publisher=publisher, metrics=metrics, clock=clock
        )
        comparison = ProjectionComparison(
            stores.memories,
            stores.namespaces,
            projection,
            metrics,
            MemoryCensus(stores.settings, metrics),
        )
        turn_comparison = TurnComparison(
            stores.turns, users, vectors, publisher=publisher, metrics=metrics
        )
    finisher = ChangeSetFinisher(
        change_sets=stores.change_sets,
        memories=stores.memories,
        settings=stores.settings,
        namespaces=stores.namespaces,
        withheld=stores.withheld,
        erasing=ErasureStep(
            stores.epochs, stores.erasures, wake=bus.erasure_worker.wake, clock=clock
        ),
        projecting=projection,
        derived=DerivedRecords(
            stores.todos,
            stores.summaries,
            points,
            stores.profiles,
            stores.needs,
            stores.entities,
            stores.withheld,
            stores.namespaces,
            users=users,
            publisher=publisher,
            clock=clock,
        ),
        publisher=publisher,
        metrics=metrics,
    )
    merge_threshold = MergeThreshold(platform.embedder, settings.similarity_thresholds)
    judges = settings.model_of(ModelTask.JUDGEMENT) is not None
    reflects = settings.model_of(ModelTask.REFLECTION) is not None
    questions = None
    if judges and vectors is not None:
        questions = DuplicateQuestions(
            vectors,
            stores.memories,
            publisher,
            threshold=lambda: merge_threshold.value,
            metrics=metrics,
            clock=clock,
        )
    todos, entities = TodoLookup(stores.todos), EntityLookup(stores.entities)
    completions = CompletionReports(stores.completions, stores.todos, clock=clock)
    writer = BatchWriter(
        unsaying=OffTheRecordCommands(
            memories=stores.memories,
            namespaces=stores.namespaces,
            withheld=stores.withheld,
            publisher=publisher,
            clock=clock,
        ),
        forgotten_topics=ForgottenTopics(
            memories=stores.memories,
            namespaces=stores.namespaces,
            publisher=publisher,
            clock=clock,
        ),
        users=users,
        recent=platform.users,
        change_sets=stores.change_sets,
        memories=stores.memories,
        gathering=RelatedRecordReader(
            stores.memories,
            stores.namespaces,
            todos,
            stores.summaries,
            entities,
            stores.profiles,
            completions,
        ),
        completions=completions,
        commands=CommandReader(
            stores.memories, stores.namespaces, stores.change_sets, todos, entities
        ),
        maintaining=MaintenanceCoordinator(
            stores.memories,
            TodoLookup(stores.todos),
            vectors,
            publisher,
            tier=settings.default_tier,
            threshold=lambda: merge_threshold.value,
            clock=clock,
            asking=stores.namespaces if reflects else None,
            times=inspection_times,
        ),
        finishing=finisher,
        projecting=projection,
        questioning=questions,
        metrics=metrics,
        clock=clock,
    )
    bus.consume(WRITES, WriteHandler(writer).handle)
    reconciler = ChangeSetReconciler(
        users=users,
        change_sets=stores.change_sets,
        memories=stores.memories,
        finishing=finisher,
        comparing=comparison,
        turns=turn_comparison,
        metrics=metrics,
        clock=clock,
        times=ReconcilerTimes(
            interval=timedelta(seconds=settings.reconcile_interval_seconds),
            grace=timedelta(seconds=settings.reconcile_grace_seconds),
        ),
    )
    reminders = ReminderSender(stores.todos, publisher=publisher, clock=clock)
    profiles = ProfileRefresher(
        needs=stores.needs,
        profiles=stores.profiles,
        summaries=stores.summaries,
        todos=stores.todos,
        memories=stores.memories,
        namespaces=stores.namespaces,
        users=users,
        publisher=publisher,
        clock=clock,
    )
    rewriter = SummaryRewriter(
        withheld=stores.withheld,
        summaries=stores.summaries,
        ledger=stores.ledger,
        users=users,
        publisher=publisher,
        owns=owns,
        clock=clock,
    )
    purges = PurgeScheduler(
        namespaces=stores.namespaces,
        memories=stores.memories,
        change_sets=stores.change_sets,
        users=users,
        publisher=publisher,
        owns=owns,
        clock=clock,
    )
    tasks: dict[str, BackgroundTask] = {
        "reconciler": partial(reconciler.watch, log_was_lost=settings.kafka_volatile),
        "reminders": reminders.watch,
        "profiles": profiles.watch,
        "expired summaries": ExpiredSummarySweep(stores.summaries, points, clock=clock).watch,
        "summaries to rewrite": rewriter.watch,
        "purges": purges.watch,
    }
    if vectors is not None and merge_threshold.value is None:
        tasks["calibration"] = partial(watch_merge_threshold, merge_threshold)
    if settings.maintenance:
        maintenance = MaintenanceScheduler(
            namespaces=stores.namespaces,
            users=users,
            change_sets=stores.change_sets,
            publisher=publisher,
            reporting=QualityReporter(
                stores.memories,
                stores.reports,
                projecting=projection,
                vectors=vectors,
                embedder=platform.embedder,
                metrics=metrics,
                clock=clock,
            ),
            owns=owns,
            report_days=settings.maintenance_report_days,
            clock=clock,
            interval=timedelta(seconds=settings.maintenance_interval_seconds),
        )
        tasks["maintenance"] = maintenance.watch
    checks: dict[str, ReadinessCheck] = {
        "kafka": bus.check,
        "mongodb": platform.database.ping,
        "background tasks": supervisor.check,
        "lost events": reconciler.check,
    }
    if vectors is not None:
        checks["vectors"] = vectors.check
    return ConsolidatorService(
        bus=bus,
        supervisor=supervisor,
        metrics=metrics,
        namespaces=stores.namespaces,
        projection=projection,
        summary_points=points,
        finisher=finisher,
        duplicate_questions=questions,
        writer=writer,
        comparison=comparison,
        turn_comparison=turn_comparison,
        reconciler=reconciler,
        reminders=reminders,
        profiles=profiles,
        background_tasks=tasks,
        checks=checks,
    )


def _register_erasers(
    worker: ErasureWorker, platform: Platform, stores: ConsolidatorStores
) -> None:
    """Register the erasers of this stage. The keys go last, after everything that is sealed with them."""
    database, vectors = platform.database, platform.vectors
    memories, namespaces = stores.memories, stores.namespaces
    worker.register(MemoryEraser(memories, namespaces))
    worker.register(HistoryEraser(database))
    worker.register(ProfileEraser(database))
    worker.register(CompletionEraser(database))
    worker.register(SummaryEraser(database, vectors))
    worker.register(SetAsideEraser(database))
    if vectors is not None:
        worker.register(VectorEraser(database, vectors, memories, namespaces))
    else:
        worker.leave_to_others()
    if database.sealing is not None:
        worker.register(KeyEraser(database.sealing.keyring))
