"""The extractor, wired."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from fastapi import APIRouter

from palimpsest.contracts.topics import EXTRACTIONS
from palimpsest.delivery.bus import Bus
from palimpsest.delivery.late_marks import LateMarks, flushed
from palimpsest.domain.clock import Clock
from palimpsest.providers.models.accounting import Accounting
from palimpsest.runtime.kafka import bus
from palimpsest.runtime.service import Check, Platform, Service
from palimpsest.runtime.settings import Settings
from palimpsest.stores.change_sets_mongo import MongoChangeSets
from palimpsest.stores.dead_letters import MongoDeadLetters
from palimpsest.stores.erasing.extractor import ExtractorEraser
from palimpsest.stores.erasures import MongoErasures
from palimpsest.stores.ledger import Ledger
from palimpsest.stores.ledger_mongo import MongoLedger
from palimpsest.stores.sessions_mongo import MongoSessions
from palimpsest.stores.spending import MongoSpending
from palimpsest.stores.summaries_mongo import MongoSummaries
from palimpsest.stores.summary_needs import MongoSummaryNeeds
from palimpsest.stores.turns_mongo import MongoTurns
from palimpsest.stores.usage_mongo import MongoUsage
from palimpsest.stores.user_states import StoredUserStates
from services.extractor.backlog import BacklogWatch
from services.extractor.intake import Intake
from services.extractor.metrics import ExtractorMetrics
from services.extractor.models import Models
from services.extractor.proposals import Proposals
from services.extractor.providers import Providers, providers_of, ways_of
from services.extractor.reconciler import (
    CONFIRMED_EVERY,
    MARKED_BEHIND,
    Reconciler,
    ReconcilerTimes,
)
from services.extractor.sessions import SessionsRead
from services.extractor.settling import Settling
from services.extractor.summing_up import SummingUp
from services.extractor.usage import UsageTelling
from services.extractor.workers import LOOK_EVERY_SECONDS, Limits, Workers

NAME = "extractor"

CALLS_IN_A_LEASE = 3.0

FINISHING = timedelta(seconds=10)
"""How long what is in hand may take when the service stops."""


class ExtractorService:
    name = NAME
    routers: Sequence[APIRouter] = ()

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        bus: Bus,
        providers: Providers,
        workers: Workers,
        reconciler: Reconciler,
        summing_up: SummingUp,
        telling: UsageTelling,
        backlog: BacklogWatch,
        checks: Mapping[str, Check],
        clock: Clock,
        log_was_lost: bool,
        published: LateMarks[str, datetime],
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
            await self._workers.finish(within=FINISHING)
        await _cancelled(*self._tasks)
        await flushed([self._published])
        await self._providers.stop()
        await self._bus.stop()


async def _cancelled(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _lease(settings: Settings) -> timedelta:
    # An answer may be asked for twice, and what is left of the lease is for storing it.
    seconds = max(
        settings.extractor_lease_seconds, CALLS_IN_A_LEASE * settings.model_timeout_seconds
    )
    return timedelta(seconds=seconds)


def build(platform: Platform) -> Service:
    settings, clock, database = platform.settings, platform.clock, platform.database
    own_bus = bus(platform, NAME)
    metrics = ExtractorMetrics(platform.registry)
    states = platform.users
    states.follow(own_bus.changes)
    ledger, wake = MongoLedger(database), asyncio.Event()
    summary_needs, erasures = MongoSummaryNeeds(database), MongoErasures(database)
    own_bus.obeying.also(ExtractorEraser(database, ledger, summary_needs, clock))
    published = _marks_of_answers(ledger)
    proposals = Proposals(
        ledger,
        publisher=own_bus.publisher,
        set_aside=own_bus.set_aside,
        states=states,
        metrics=metrics,
        clock=clock,
        published=published,
    )
    summing_up = SummingUp(
        summary_needs,
        MongoSessions(database),
        ledger,
        states=states,
        erasures=erasures,
        wake=wake,
        clock=clock,
        idle_after=timedelta(minutes=settings.extraction_idle_minutes),
    )
    intake = Intake(
        ledger, states=states, wake=wake, metrics=metrics, clock=clock, summing_up=summing_up
    )
    own_bus.consume(EXTRACTIONS, intake.handle, apart_seconds=LOOK_EVERY_SECONDS)
    spending = MongoSpending(database)
    calls = MongoUsage(database)
    accounting = Accounting(calls, clock=clock)
    telling = UsageTelling(
        calls,
        accounting,
        publisher=own_bus.publisher,
        states=states,
        metrics=metrics,
        clock=clock,
        lost_after=_lease(settings),
    )
    models = Models(
        settings,
        spending=spending,
        registry=platform.registry,
        clock=clock,
        accounting=accounting,
    )
    providers = providers_of(settings, models)
    workers = Workers(
        ledger,
        ways_of(
            providers,
            SessionsRead(
                MongoTurns(database),
                MongoSummaries(database),
                erasures,
                StoredUserStates.in_database(database),
            ),
            clock,
        ),
        Settling(ledger, proposals, metrics=metrics, clock=clock),
        set_aside=own_bus.set_aside,
        room=providers.room,
        summing_up=summing_up,
        wake=wake,
        metrics=metrics,
        clock=clock,
        limits=Limits(
            requests_at_once=settings.extractor_concurrent_requests,
            lease=_lease(settings),
            maximum_attempts=settings.extractor_maximum_attempts,
        ),
    )
    reconciler = Reconciler(
        ledger,
        decided=MongoChangeSets(database).known,
        dead_letters=MongoDeadLetters(database),
        proposals=proposals,
        wake=wake,
        metrics=metrics,
        clock=clock,
        times=ReconcilerTimes(
            interval=min(timedelta(seconds=settings.reconcile_interval_seconds), CONFIRMED_EVERY),
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


def _marks_of_answers(ledger: Ledger) -> LateMarks[str, datetime]:
    async def write(published: Mapping[str, datetime]) -> None:
        await ledger.mark_published(list(published), now=max(published.values()))

    return LateMarks(write, behind=MARKED_BEHIND)
