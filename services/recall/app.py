"""Wires recall: one handler behind HTTP and Kafka."""

import asyncio
from collections.abc import Mapping, Sequence

import structlog
from fastapi import APIRouter

from palimpsest.model.errors import PalimpsestError, PermanentError
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.embedders.gate_calibration import GateCalibrator
from palimpsest_server.embedders.topic_directions import TopicDirectionsCalibrator
from palimpsest_server.models.token_counter import get_token_counter
from palimpsest_server.runtime.bus_factory import build_bus
from palimpsest_server.runtime.ranking_policy_file import load_ranking_policy
from palimpsest_server.runtime.service import Platform, ReadinessCheck, Service
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.profiles import MongoProfiles
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from palimpsest_server.stores.mongo.todos import MongoTodos
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.written_language import StoredWrittenLanguages
from services.recall.access_log import AccessLog
from services.recall.analyze import QuestionAnalyzer
from services.recall.context import ContextBuilder
from services.recall.context_material import ContextMaterialReader
from services.recall.default_ranking import DefaultRanking
from services.recall.enrichment import ResultEnricher
from services.recall.handlers import RecallRequestHandler
from services.recall.hot_set import HotSet
from services.recall.metrics import RecallMetrics
from services.recall.policy_ranking import PolicyRanking
from services.recall.profile_ranking import ProfileRanking
from services.recall.read import DocumentReader
from services.recall.recall import RecallHandler
from services.recall.revisions import Revisions
from services.recall.routes import routes
from services.recall.session_summaries import SessionSummaryReader
from services.recall.weightiest import WeightiestMemories

NAME = "recall"

_log = structlog.get_logger("palimpsest.recall")


class RecallService:
    name = NAME

    def __init__(
        self,
        *,
        bus: Bus,
        accesses: AccessLog,
        gate: GateCalibrator,
        themes: TopicDirectionsCalibrator,
        hot: HotSet,
        router: APIRouter,
        checks: Mapping[str, ReadinessCheck],
    ) -> None:
        self._bus = bus
        self._accesses = accesses
        self._gate = gate
        self._themes = themes
        self._hot = hot
        self.routers: Sequence[APIRouter] = [router]
        self.checks = checks

    async def start(self) -> None:
        await asyncio.gather(self._bus.start(), self._calibrate())
        await self._accesses.start()

    async def stop(self) -> None:
        await self._accesses.stop()
        await self._bus.stop()
        await self._hot.stop()

    async def _calibrate(self) -> None:
        """So that the first question need not wait for it; it tries again where this failed."""
        try:
            await self._gate()
            await self._themes()
        except PalimpsestError as error:
            _log.warning("the gate is not calibrated yet", error=type(error).__name__)


def build(platform: Platform) -> Service:
    """The recall service of this process.

    Raises:
        PermanentError: the process has no vectors to search.
    """
    if platform.vectors is None:
        raise PermanentError("recall needs vectors; set PALIMPSEST_VECTORS to edge or server")
    own_bus = build_bus(platform, NAME)
    metrics = RecallMetrics(platform.registry)
    platform.users.follow(own_bus.changes)
    privacy = PrivacyPolicy.of(platform.settings.privacy)
    accesses = AccessLog(own_bus.publisher, platform.clock, metrics, privacy)
    gate, themes = GateCalibrator(platform.embedder), TopicDirectionsCalibrator(platform.embedder)
    database = platform.answering_database
    turns, summaries = MongoTurns(database), MongoSummaries(database)
    memories = MongoMemories(database, layout=platform.settings.layout)
    hot = HotSet(
        memories, clock=platform.clock, looked_up=platform.caches.of("memories recalled most")
    )
    own_bus.changes.listen(hot.on_change)
    reader = DocumentReader(memories, turns, summaries, metrics.dropped, hot)
    revisions = Revisions(MongoChangeSets(database), platform.users.forget)
    own_bus.changes.listen(revisions.on_change)
    by_default = DefaultRanking(
        platform.vectors,
        reader,
        load_ranking_policy(platform.settings),
        metrics,
        MongoTodos(database),
    )
    enriching = ResultEnricher(reader)
    recalling = RecallHandler(
        asking=QuestionAnalyzer(platform.users, platform.embedder, themes, metrics, platform.clock),
        by_default=by_default,
        by_policy=PolicyRanking(platform.vectors, reader, metrics),
        by_profile=ProfileRanking(by_default, reader, metrics),
        enriching=enriching,
        revisions=revisions,
        gate=gate,
        accesses=accesses,
        metrics=metrics,
    )
    gathering = ContextMaterialReader(
        recalling=recalling,
        weightiest=WeightiestMemories(memories, enriching, platform.clock),
        talks=SessionSummaryReader(recalling, summaries, platform.clock),
        turns=turns,
        profiles=MongoProfiles(database),
        last_messages=platform.settings.context_last_messages,
    )
    contexts = ContextBuilder(
        gathering=gathering,
        states=platform.users,
        written=StoredWrittenLanguages(MongoSessions(database), turns, memories),
        revisions=revisions,
        counter=get_token_counter,
    )
    own_bus.answer(RecallRequestHandler(recalling, contexts, platform.clock))
    return RecallService(
        bus=own_bus,
        accesses=accesses,
        gate=gate,
        themes=themes,
        hot=hot,
        router=routes(recalling, contexts),
        checks={
            "kafka": own_bus.check,
            "mongodb": database.ping,
            "vectors": platform.vectors.check,
        },
    )
