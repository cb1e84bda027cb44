"""Wires recall: one handler behind HTTP and Kafka."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import structlog
from fastapi import APIRouter

from palimpsest.model.errors import PalimpsestError, PermanentError
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.gate_calibration import GateCalibrator
from palimpsest_server.embedders.topic_directions import TopicDirectionsCalibrator
from palimpsest_server.models.token_counter import get_token_counter
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.ranking_policy_file import load_ranking_policy
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.runtime.vector_backends import VECTOR_BACKENDS
from palimpsest_server.stores.written_language import StoredWrittenLanguages
from services.recall.access_log import TICK_SECONDS, AccessLog
from services.recall.analyze import QuestionAnalyzer
from services.recall.context.build_context import ContextBuilder
from services.recall.context.context_material import ContextMaterialReader
from services.recall.context.important_memories import ImportantMemoryReader
from services.recall.context.session_summaries import SessionSummaryReader
from services.recall.default_ranking import DefaultRanking
from services.recall.enrichment import ResultEnricher
from services.recall.handlers import RecallRequestHandler
from services.recall.hot_set import HotSet
from services.recall.metrics import RecallMetrics
from services.recall.policy_ranking import PolicyRanking
from services.recall.profile_ranking import ProfileRanking
from services.recall.read import DocumentReader
from services.recall.recall import RecallHandler
from services.recall.recall_stores import RecallStores
from services.recall.revisions import PATIENCE_SECONDS, Revisions
from services.recall.routes import routes

NAME = "recall"

_log = structlog.get_logger("palimpsest.recall")


@dataclass(frozen=True, kw_only=True)
class RecallTimes:
    """Waiting times of the service."""

    access_tick_seconds: float = TICK_SECONDS
    """Seconds between two batches of counted recalls."""
    revision_patience_seconds: float = PATIENCE_SECONDS
    """The longest wait, in seconds, for a reader's own write to become findable."""


@dataclass(frozen=True, kw_only=True)
class Calibrations:
    """Values of the embedding model in use, each measured at its first call."""

    gate: Callable[[], Awaitable[Gate]]
    topics: TopicDirectionsCalibrator

    @classmethod
    def of_embedder(cls, embedder: Embedder) -> Self:
        return cls(gate=GateCalibrator(embedder), topics=TopicDirectionsCalibrator(embedder))


@dataclass(frozen=True, kw_only=True)
class RecallService:
    name = NAME

    bus: ServiceBus
    supervisor: Supervisor
    calibrations: Calibrations
    access_log: AccessLog
    hot_set: HotSet
    recall_handler: RecallHandler
    contexts: ContextBuilder
    build_routers: Callable[[], Sequence[APIRouter]]
    checks: Mapping[str, ReadinessCheck]

    @cached_property
    def routers(self) -> Sequence[APIRouter]:
        return self.build_routers()

    async def start(self) -> None:
        await asyncio.gather(self.bus.start(), self._calibrate())
        self.supervisor.start("recall accesses", self.access_log.publish_forever)

    async def stop(self) -> None:
        await self.supervisor.stop()
        await self.access_log.drain()
        await self.bus.stop()
        await self.hot_set.stop()

    async def _calibrate(self) -> None:
        """Calibrate in advance to spare the first question the wait; after a failure it calibrates."""
        try:
            await self.calibrations.gate()
            await self.calibrations.topics()
        except PalimpsestError as error:
            _log.warning("the gate is not calibrated yet", **describe_failure(error))


def build(
    platform: Platform,
    *,
    stores: RecallStores | None = None,
    calibrations: Calibrations | None = None,
    times: RecallTimes = RecallTimes(),
) -> RecallService:
    """Wire the recall service of this process.

    Raises:
        PermanentError: the process has no vectors to search.
    """
    if platform.vectors is None:
        raise PermanentError(
            f"recall needs vectors; set PALIMPSEST_VECTORS to {' or '.join(VECTOR_BACKENDS)}"
        )
    settings, clock, users = platform.settings, platform.clock, platform.users
    bus, supervisor = platform.open_bus(NAME), platform.supervise(NAME)
    stores = stores or RecallStores.in_database(platform.answering_database, layout=settings.layout)
    calibrations = calibrations or Calibrations.of_embedder(platform.embedder)
    metrics = RecallMetrics(platform.registry)
    users.follow(bus.changes)
    accesses = AccessLog(
        bus.publisher,
        clock,
        metrics,
        PrivacyPolicy.of(settings.privacy),
        tick_seconds=times.access_tick_seconds,
    )
    hot = HotSet(
        stores.memories, clock=clock, looked_up=platform.caches.of("memories recalled most")
    )
    bus.changes.listen(hot.on_change)
    reader = DocumentReader(stores.memories, stores.turns, stores.summaries, metrics.dropped, hot)
    revisions = Revisions(stores.change_sets, users.forget, times.revision_patience_seconds)
    bus.changes.listen(revisions.on_change)
    default_ranking = DefaultRanking(
        platform.vectors, reader, load_ranking_policy(settings), metrics, stores.todos
    )
    enricher = ResultEnricher(reader, stores.entities)
    recall_handler = RecallHandler(
        analyzer=QuestionAnalyzer(users, platform.embedder, calibrations.topics, metrics, clock),
        default_ranking=default_ranking,
        policy_ranking=PolicyRanking(platform.vectors, reader, metrics),
        profile_ranking=ProfileRanking(default_ranking, reader, metrics),
        enricher=enricher,
        revisions=revisions,
        gate=calibrations.gate,
        accesses=accesses,
        metrics=metrics,
    )
    contexts = ContextBuilder(
        material_reader=ContextMaterialReader(
            recall_handler=recall_handler,
            important_memories=ImportantMemoryReader(stores.memories, enricher, clock),
            session_summaries=SessionSummaryReader(recall_handler, stores.summaries, clock),
            turns=stores.turns,
            profiles=stores.profiles,
            last_messages=settings.context_last_messages,
        ),
        states=users,
        written_languages=StoredWrittenLanguages(stores.sessions, stores.turns, stores.memories),
        revisions=revisions,
        counter=get_token_counter,
        clock=clock,
    )
    bus.answer(RecallRequestHandler(recall_handler, contexts, platform.access, clock))
    return RecallService(
        bus=bus,
        supervisor=supervisor,
        calibrations=calibrations,
        access_log=accesses,
        hot_set=hot,
        recall_handler=recall_handler,
        contexts=contexts,
        build_routers=lambda: [routes(recall_handler, contexts)],
        checks={
            "kafka": bus.check,
            "mongodb": platform.answering_database.ping,
            "vectors": platform.vectors.check,
            "background tasks": supervisor.check,
        },
    )
