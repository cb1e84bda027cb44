"""Wires the consolidator: the only writer of memories, settings and vectors."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import timedelta

from fastapi import APIRouter

from palimpsest.contracts.topics import WRITES
from palimpsest.delivery.bus import Bus
from palimpsest.domain.compression.thresholds import threshold_of
from palimpsest.providers.models.language_model import Task
from palimpsest.runtime.kafka import bus
from palimpsest.runtime.service import Check, Platform, Service
from palimpsest.stores.change_sets_mongo import MongoChangeSets
from palimpsest.stores.completions import MongoCompletions
from palimpsest.stores.entities_mongo import MongoEntities
from palimpsest.stores.epochs import MongoEpochs
from palimpsest.stores.erasing.completions import CompletionEraser
from palimpsest.stores.erasing.consolidator import (
    HistoryEraser,
    MemoryEraser,
    ProfileEraser,
    SummaryEraser,
    VectorEraser,
)
from palimpsest.stores.erasing.keys import KeyEraser
from palimpsest.stores.erasures import MongoErasures
from palimpsest.stores.ledger_mongo import MongoLedger
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.namespaces import MongoNamespaces, NamespaceRegistry
from palimpsest.stores.profiles_mongo import MongoProfileNeeds, MongoProfiles
from palimpsest.stores.reports import MongoReports
from palimpsest.stores.summaries_mongo import MongoSummaries
from palimpsest.stores.todos_mongo import MongoTodos
from palimpsest.stores.user_settings import MongoUserSettings
from palimpsest.stores.user_states import StoredUserStates
from palimpsest.stores.withheld import MongoWithheld
from services.consolidator.census import Census
from services.consolidator.commands.reading import CommandReader
from services.consolidator.completions import Completions
from services.consolidator.deriving import Derived
from services.consolidator.entities import KnownEntities
from services.consolidator.erasing import Erasing
from services.consolidator.finishing import Finishing
from services.consolidator.gathering import Gathering
from services.consolidator.maintenance.maintaining import Maintaining
from services.consolidator.maintenance.purging import Purging
from services.consolidator.maintenance.reporting import Reporting
from services.consolidator.maintenance.scheduling import Scheduler
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.profiles import Describing
from services.consolidator.projecting import Projecting
from services.consolidator.questioning import Questioning
from services.consolidator.reconciler import Comparing, Reconciler
from services.consolidator.retelling import Retelling
from services.consolidator.summaries import SummaryPoints, Sweeping
from services.consolidator.todos import KnownTodos, Reminding
from services.consolidator.unsaying import Unsaying
from services.consolidator.writing import Writing

NAME = "consolidator"


class ConsolidatorService:
    name = NAME
    routers: Sequence[APIRouter] = ()

    def __init__(
        self,
        *,
        bus: Bus,
        namespaces: NamespaceRegistry,
        reconciler: Reconciler,
        scheduler: Scheduler | None,
        finishing: Finishing,
        watches: Sequence[Callable[[], Coroutine[None, None, None]]],
        log_was_lost: bool,
        checks: Mapping[str, Check],
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


def _threshold(platform: Platform) -> float | None:
    return threshold_of(platform.embedder.model.slug, platform.settings.similarity_thresholds)


def _questioning(
    platform: Platform, memories: MemoryStore, own_bus: Bus, metrics: ConsolidatorMetrics
) -> Questioning | None:
    """Where there is a model to be asked, and it is known from which likeness on."""
    threshold = _threshold(platform)
    if platform.vectors is None or threshold is None:
        return None
    if platform.settings.model_of(Task.JUDGEMENT) is None:
        return None
    return Questioning(
        platform.vectors,
        memories,
        own_bus.publisher,
        threshold=threshold,
        metrics=metrics,
        clock=platform.clock,
    )


def build(platform: Platform) -> Service:
    settings, database, clock = platform.settings, platform.database, platform.clock
    own_bus = bus(platform, NAME)
    metrics = ConsolidatorMetrics(platform.registry)
    users = StoredUserStates.in_database(database)
    change_sets = MongoChangeSets(database)
    memories = MongoMemories(database, layout=settings.layout)
    namespaces = MongoNamespaces(
        database, layout=settings.layout, model=platform.embedder.model.slug
    )
    summaries, todos = MongoSummaries(database), MongoTodos(database)
    checks: dict[str, Check] = {"kafka": own_bus.check, "mongodb": database.ping}
    projecting = comparing = points = None
    if platform.vectors is not None:
        projecting = Projecting(
            platform.vectors,
            memories=memories,
            publisher=own_bus.publisher,
            metrics=metrics,
            clock=clock,
        )
        comparing = Comparing(
            memories,
            namespaces,
            projecting,
            metrics,
            Census(MongoUserSettings(database), metrics),
        )
        points = SummaryPoints(
            platform.vectors,
            summaries,
            publisher=own_bus.publisher,
            metrics=metrics,
            clock=clock,
        )
        checks["vectors"] = platform.vectors.check
    completions = Completions(MongoCompletions(database), todos, clock=clock)
    entities, withheld = MongoEntities(database), MongoWithheld(database)
    profiles, needs = MongoProfiles(database), MongoProfileNeeds(database)
    obeying = own_bus.obeying
    obeying.also(MemoryEraser(memories, namespaces))
    obeying.also(HistoryEraser(database))
    obeying.also(ProfileEraser(database))
    obeying.also(CompletionEraser(database))
    obeying.also(SummaryEraser(database, platform.vectors))
    if platform.vectors is not None:
        obeying.also(VectorEraser(database, platform.vectors, memories, namespaces))
    else:
        obeying.leave_to_others()
    if database.sealing is not None:
        # Behind all others of this stage.
        obeying.also(KeyEraser(database.sealing.keyring))
    finishing = Finishing(
        change_sets=change_sets,
        memories=memories,
        settings=MongoUserSettings(database),
        namespaces=namespaces,
        withheld=withheld,
        erasing=Erasing(
            MongoEpochs(database), MongoErasures(database), wake=obeying.wake, clock=clock
        ),
        projecting=projecting,
        derived=Derived(
            todos,
            summaries,
            points,
            profiles,
            needs,
            entities,
            withheld,
            publisher=own_bus.publisher,
            clock=clock,
        ),
        publisher=own_bus.publisher,
        metrics=metrics,
    )
    writing = Writing(
        unsaying=Unsaying(
            memories=memories,
            namespaces=namespaces,
            withheld=withheld,
            publisher=own_bus.publisher,
            clock=clock,
        ),
        completions=completions,
        users=users,
        recent=platform.users,
        change_sets=change_sets,
        memories=memories,
        gathering=Gathering(
            memories,
            namespaces,
            KnownTodos(todos),
            summaries,
            KnownEntities(entities),
            profiles,
            completions,
        ),
        commands=CommandReader(
            memories, namespaces, change_sets, KnownTodos(todos), KnownEntities(entities)
        ),
        maintaining=Maintaining(
            memories,
            KnownTodos(todos),
            platform.vectors,
            own_bus.publisher,
            tier=settings.default_tier,
            threshold=_threshold(platform),
            clock=clock,
            asking=None if settings.model_of(Task.REFLECTION) is None else namespaces,
        ),
        finishing=finishing,
        projecting=projecting,
        questioning=_questioning(platform, memories, own_bus, metrics),
        metrics=metrics,
        clock=clock,
    )
    reconciler = Reconciler(
        users=users,
        change_sets=change_sets,
        memories=memories,
        finishing=finishing,
        comparing=comparing,
        metrics=metrics,
        clock=clock,
        interval=timedelta(seconds=settings.reconcile_interval_seconds),
        grace=timedelta(seconds=settings.reconcile_grace_seconds),
    )
    scheduler = Scheduler(
        namespaces=namespaces,
        users=users,
        change_sets=change_sets,
        publisher=own_bus.publisher,
        reporting=Reporting(
            memories,
            MongoReports(database),
            projecting=projecting,
            vectors=platform.vectors,
            embedder=platform.embedder,
            metrics=metrics,
            clock=clock,
        ),
        owns=lambda user_id: own_bus.owns(WRITES, user_id),
        report_days=settings.maintenance_report_days,
        clock=clock,
        interval=timedelta(seconds=settings.maintenance_interval_seconds),
    )
    own_bus.consume(WRITES, writing.handle)
    return ConsolidatorService(
        bus=own_bus,
        namespaces=namespaces,
        reconciler=reconciler,
        scheduler=scheduler if settings.maintenance else None,
        finishing=finishing,
        watches=(
            Reminding(todos, publisher=own_bus.publisher, clock=clock).watch,
            Describing(
                needs=needs,
                profiles=profiles,
                summaries=summaries,
                todos=todos,
                memories=memories,
                namespaces=namespaces,
                users=users,
                publisher=own_bus.publisher,
                clock=clock,
            ).watch,
            Sweeping(summaries, points, clock=clock).watch,
            Retelling(
                withheld=withheld,
                summaries=summaries,
                ledger=MongoLedger(database),
                users=users,
                publisher=own_bus.publisher,
                owns=lambda user_id: own_bus.owns(WRITES, user_id),
                clock=clock,
            ).watch,
            Purging(
                namespaces=namespaces,
                memories=memories,
                change_sets=change_sets,
                users=users,
                publisher=own_bus.publisher,
                owns=lambda user_id: own_bus.owns(WRITES, user_id),
                clock=clock,
            ).watch,
        ),
        log_was_lost=settings.kafka_volatile,
        checks=checks,
    )
