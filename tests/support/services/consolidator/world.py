"""A consolidator on stores that outlive it, so that processes can crash, stall and be replaced."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from prometheus_client import CollectorRegistry

from palimpsest.events.envelope import Event
from palimpsest.model.clock import Clock
from palimpsest.model.user import Tier
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.cached_user_states import CachedUserStates, StoredUserStates
from services.consolidator.component_factory import ConsolidatorFactory
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.todo_reminders import ReminderSender

NEAR = 0.999
"""From which cosine of it on two memories may be one."""


class Consolidator:
    """One process: what it remembers goes with it."""

    def __init__(
        self,
        stores: Any,
        clock: Clock,
        *,
        with_vectors: bool = True,
        tier: Tier = Tier.ENTERPRISE,
        asks: bool = False,
    ) -> None:
        self.registry = CollectorRegistry()
        self.metrics = ConsolidatorMetrics(self.registry)
        users = StoredUserStates(stores.settings, stores.epochs, stores.erasures, stores.withheld)
        wiring = ConsolidatorFactory(
            keeping=stores,
            users=users,
            vectors=stores.vectors if with_vectors else None,
            publisher=stores.published,
            metrics=self.metrics,
            clock=clock,
        )
        self.projecting, self.points = wiring.projecting(), wiring.points()
        self.describing = wiring.describing()
        self.finishing = wiring.finishing(self.projecting, self.points, wake=lambda: None)
        self.questioning = wiring.questioning(threshold=NEAR) if asks else None
        self.reminding = ReminderSender(stores.todos, publisher=stores.published, clock=clock)
        self.writing = wiring.writing(
            self.finishing,
            self.projecting,
            self.questioning,
            recent=CachedUserStates(users, clock=clock),
            maintaining=wiring.maintaining(tier=tier, threshold=NEAR, reflects=asks),
        )
        self.comparing = wiring.comparing(self.projecting)
        self.reconciler = wiring.reconciler(
            self.finishing,
            self.comparing,
            interval=timedelta(seconds=30),
            grace=timedelta(minutes=10),
        )

    async def handle(self, *events: Event) -> Sequence[EventRejection]:
        rejections = await self.writing.handle(events)
        await self.finishing.noted()
        if self.questioning is not None:
            await self.questioning.over()
        return rejections

    def counted(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(f"palimpsest_consolidator_{name}", labels) or 0.0
