"""A consolidator on stores that outlive it, so that processes can crash, stall and be replaced."""

from collections.abc import Sequence
from typing import Any

from prometheus_client import CollectorRegistry

from palimpsest.events.envelope import Event
from palimpsest.events.topics import WRITES
from palimpsest.model.clock import Clock
from palimpsest.model.user import Tier
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.cached_user_states import StoredUserStates
from services.consolidator.app import build
from services.consolidator.maintenance.inspection_reader import InspectionTimes
from tests.support.given_settings import GivenSettings
from tests.support.platform import TWO_SECONDS, InMemoryPlatform
from tests.support.services.consolidator.stores import MODEL, TinyEmbedder

NEAR = 0.999
"""From which cosine of it on two memories may be one."""

UNHURRIED = InspectionTimes(search_budget_seconds=float("inf"), maximum_call_seconds=float("inf"))
"""No run is cut into parts because the machine is busy."""


class Consolidator:
    """One process as it is wired: what it remembers goes with it."""

    def __init__(
        self,
        stores: Any,
        clock: Clock,
        *,
        with_vectors: bool = True,
        tier: Tier = Tier.ENTERPRISE,
        asks: bool = False,
        inspection_times: InspectionTimes = UNHURRIED,
    ) -> None:
        self.registry = CollectorRegistry()
        platform = InMemoryPlatform(
            settings=GivenSettings(
                quota_tier=tier,
                similarity_thresholds={MODEL.slug: NEAR},
                extraction_model="compatible/m" if asks else "local",
            ),
            clock=clock,
            embedder=TinyEmbedder(),
            vectors=stores.vectors if with_vectors else None,
            registry=self.registry,
            user_states=StoredUserStates(
                stores.settings, stores.epochs, stores.erasures, stores.withheld
            ),
            user_states_lifetime=TWO_SECONDS,
            publisher=stores.published,
        )
        self.service = build(platform, stores=stores, inspection_times=inspection_times)
        self._handle = platform.buses["consolidator"].handlers[WRITES]
        self.metrics = self.service.metrics
        self.writing = self.service.writer
        self.finishing = self.service.finisher
        self.projecting = self.service.projection
        self.points = self.service.summary_points
        self.describing = self.service.profiles
        self.questioning = self.service.duplicate_questions
        self.reminding = self.service.reminders
        self.comparing = self.service.comparison
        self.reconciler = self.service.reconciler

    async def handle(self, *events: Event) -> Sequence[EventRejection]:
        rejections = await self._handle(events)
        await self.finishing.noted()
        if self.questioning is not None:
            await self.questioning.over()
        return rejections

    def counted(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(f"palimpsest_consolidator_{name}", labels) or 0.0
