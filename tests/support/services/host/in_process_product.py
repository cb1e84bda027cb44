"""All services in one process, wired by their own `build`, with the bus handed over by hand.

Only the database is a real one. What a service publishes is handed to whoever consumes the topic, but to the
extractor, which answers over HTTP alone: a test hands over what it would propose.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Self

import httpx
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import ExtractorAnswer
from palimpsest.events.topics import CANDIDATES, CHANGES, Topic
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.extraction.summaries.local_summaries import LocalSummaries
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.service import Service
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.cached_user_states import StoredUserStates
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.console.app import build as build_console
from services.consolidator.app import build as build_consolidator
from services.embedder.app import build as build_embedder
from services.extractor.app import build as build_extractor
from services.extractor.task_providers import TaskProviders
from services.ingest.app import build as build_ingest
from services.recall.app import Calibrations
from services.recall.app import build as build_recall
from tests.support.clock import SettableClock
from tests.support.given_settings import GivenSettings
from tests.support.platform import InMemoryBus, InMemoryPlatform
from tests.support.server.desk_application import KEY
from tests.support.services.host.guarded_routes import find_routes
from tests.support.services.recall.stand_ins import GATE, shared_embedder, shared_topics
from tests.support.serving import serving

PATIENCE_SECONDS = 60.0
"""Patience with a change that nothing but a slow machine holds up."""


@dataclass
class HandOver:
    """A publisher that hands events to their consumers, one batch after another."""

    buses: dict[str, InMemoryBus] = field(default_factory=dict)
    waiting: "asyncio.Queue[tuple[Topic, Sequence[Event]]]" = field(default_factory=asyncio.Queue)
    failed: Exception | None = None
    """The error that a consumer raised: nothing is handed over any more."""

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        if self.failed is not None:
            raise self.failed
        self.waiting.put_nowait((topic, list(events)))

    async def run(self) -> None:
        while True:
            topic, events = await self.waiting.get()
            try:
                await self._hand_over(topic, events)
            except Exception as error:
                self.failed = error
                raise
            finally:
                self.waiting.task_done()

    async def _hand_over(self, topic: Topic, events: Sequence[Event]) -> None:
        for bus in list(self.buses.values()):
            if topic is CHANGES:
                for event in events:
                    if isinstance(event, ChangeSetAnnounced):
                        await bus.changes.announce(event)
            elif topic in bus.handlers:
                await bus.handlers[topic](events)


_RULES = TaskProviders(first=LocalExtractor(), summariser=LocalSummaries(LocalExtractor()))


class InProcessProduct:
    """Asks over HTTP, as everybody does; `KEY` opens everything."""

    def __init__(
        self,
        database: MongoDatabase,
        *,
        key: str | None = KEY,
        settings: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Without a key it asks for none."""
        self.settings: Settings = GivenSettings(
            api_key=key and SecretStr(key),
            key_rates={},
            command_wait_seconds=PATIENCE_SECONDS,
            **settings,
        )
        self.clock = SettableClock()
        # Of today: the database removes what is older by its own clock, such as recalls.
        self.clock.now = datetime.now(UTC)
        self._hand_over = HandOver()
        embedder = shared_embedder()
        self.platform = InMemoryPlatform(
            settings=self.settings,
            clock=self.clock,
            database=database,
            embedder=embedder,
            vectors=InMemoryVectorStore(embedder.model),
            registry=CollectorRegistry(),
            user_states=StoredUserStates.in_database(database),
            publisher=self._hand_over,
            buses=self._hand_over.buses,
        )
        self._consolidator = build_consolidator(self.platform)
        self._recall = build_recall(
            self.platform, calibrations=Calibrations(gate=_gate, topics=shared_topics())
        )
        services: list[Service] = [
            build_ingest(self.platform),
            build_embedder(self.platform),
            self._consolidator,
            self._recall,
            build_extractor(replace(self.platform, buses={}), providers=_RULES),
            console := build_console(self.platform),
        ]
        self._console, self._opened = console, AsyncExitStack()
        self.application = build_http_application(
            services,
            settings=self.settings,
            registry=self.platform.registry,
            access=self.platform.access,
        )
        self.routes = find_routes(services)

    async def ask(
        self,
        method: str,
        path: str,
        *,
        key: str = KEY,
        headers: Mapping[str, str] | None = None,
        **request: Any,
    ) -> httpx.Response:
        # Two requests at one moment are one command.
        self.clock.advance(timedelta(milliseconds=1))
        return await self.http.request(
            method, path, headers={"Authorization": f"Bearer {key}", **(headers or {})}, **request
        )

    async def propose(self, answer: ExtractorAnswer) -> None:
        """Hand an answer over as the extractor does, and wait for what is decided of it."""
        await self._hand_over.publish(CANDIDATES, [answer])
        await self.settle()

    async def settle(self) -> None:
        """Return when all that was published, recalled and decided has had its effect."""
        await self._recall.access_log.flush()
        await self._hand_over.waiting.join()
        await self._consolidator.finisher.noted()
        await self._hand_over.waiting.join()

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._hand_over.run())
        # On a port, for memories as tools ask the services there.
        self.url = await self._opened.enter_async_context(serving(self.application))
        self._opened.push_async_callback(self._console.supervisor.stop)
        self.http = await self._opened.enter_async_context(
            httpx.AsyncClient(base_url=self.url, trust_env=False, timeout=60)
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._opened.aclose()
        self._running.cancel()
        # What a consumer raised is raised here.
        with suppress(asyncio.CancelledError):
            await self._running


async def _gate() -> Any:
    return GATE
