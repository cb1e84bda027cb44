"""Wires recall: one handler behind HTTP and Kafka."""

import asyncio
from collections.abc import Mapping, Sequence

import structlog
from fastapi import APIRouter

from palimpsest.delivery.bus import Bus
from palimpsest.domain.errors import PalimpsestError, PermanentError
from palimpsest.domain.privacy.policy import PrivacyPolicy
from palimpsest.providers.gate_of_model import GateOfModel
from palimpsest.providers.themes_of_model import ThemesOfModel
from palimpsest.providers.tokens import token_counter
from palimpsest.runtime.kafka import bus
from palimpsest.runtime.ranking import ranking_policy
from palimpsest.runtime.service import Check, Platform, Service
from palimpsest.stores.change_sets_mongo import MongoChangeSets
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.profiles_mongo import MongoProfiles
from palimpsest.stores.sessions_mongo import MongoSessions
from palimpsest.stores.summaries_mongo import MongoSummaries
from palimpsest.stores.todos_mongo import MongoTodos
from palimpsest.stores.turns_mongo import MongoTurns
from palimpsest.stores.written_language import StoredWrittenLanguages
from services.recall.accesses import AccessLog
from services.recall.answering import Answering
from services.recall.asking import Asking
from services.recall.by_default import ByDefault
from services.recall.by_policy import ByPolicy
from services.recall.by_profile import ByProfile
from services.recall.contexts import Contexts
from services.recall.enriching import Enriching
from services.recall.gathering import Gathering
from services.recall.hot_set import HotSet
from services.recall.metrics import RecallMetrics
from services.recall.reading import Reader
from services.recall.recalling import Recalling
from services.recall.revisions import Revisions
from services.recall.routes import routes
from services.recall.talks import Talks
from services.recall.weightiest import Weightiest

NAME = "recall"

_log = structlog.get_logger("palimpsest.recall")


class RecallService:
    name = NAME

    def __init__(
        self,
        *,
        bus: Bus,
        accesses: AccessLog,
        gate: GateOfModel,
        themes: ThemesOfModel,
        hot: HotSet,
        router: APIRouter,
        checks: Mapping[str, Check],
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
    own_bus = bus(platform, NAME)
    metrics = RecallMetrics(platform.registry)
    platform.users.follow(own_bus.changes)
    privacy = PrivacyPolicy.of(platform.settings.privacy)
    accesses = AccessLog(own_bus.publisher, platform.clock, metrics, privacy)
    gate, themes = GateOfModel(platform.embedder), ThemesOfModel(platform.embedder)
    database = platform.answering_database
    turns, summaries = MongoTurns(database), MongoSummaries(database)
    memories = MongoMemories(database, layout=platform.settings.layout)
    hot = HotSet(
        memories, clock=platform.clock, looked_up=platform.caches.of("memories recalled most")
    )
    own_bus.changes.listen(hot.on_change)
    reader = Reader(memories, turns, summaries, metrics.dropped, hot)
    revisions = Revisions(MongoChangeSets(database), platform.users.forget)
    own_bus.changes.listen(revisions.on_change)
    by_default = ByDefault(
        platform.vectors,
        reader,
        ranking_policy(platform.settings),
        metrics,
        MongoTodos(database),
    )
    enriching = Enriching(reader)
    recalling = Recalling(
        asking=Asking(platform.users, platform.embedder, themes, metrics, platform.clock),
        by_default=by_default,
        by_policy=ByPolicy(platform.vectors, reader, metrics),
        by_profile=ByProfile(by_default, reader, metrics),
        enriching=enriching,
        revisions=revisions,
        gate=gate,
        accesses=accesses,
        metrics=metrics,
    )
    gathering = Gathering(
        recalling=recalling,
        weightiest=Weightiest(memories, enriching, platform.clock),
        talks=Talks(recalling, summaries, platform.clock),
        turns=turns,
        profiles=MongoProfiles(database),
        last_messages=platform.settings.context_last_messages,
    )
    contexts = Contexts(
        gathering=gathering,
        states=platform.users,
        written=StoredWrittenLanguages(MongoSessions(database), turns, memories),
        revisions=revisions,
        counter=token_counter,
    )
    own_bus.answer(Answering(recalling, contexts, platform.clock))
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
