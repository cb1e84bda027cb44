"""A consolidator on stores that outlive it, so that processes can crash, stall and be replaced."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from prometheus_client import CollectorRegistry

from palimpsest.contracts.envelope import Event
from palimpsest.delivery.stage import Rejection
from palimpsest.domain.clock import Clock
from palimpsest.domain.user import Tier
from palimpsest.stores.user_states import CachedUserStates, StoredUserStates
from palimpsest.stores.vectors import VectorStore
from services.consolidator.census import Census
from services.consolidator.commands.reading import CommandReader
from services.consolidator.completions import Completions
from services.consolidator.deriving import Derived
from services.consolidator.entities import KnownEntities
from services.consolidator.erasing import Erasing
from services.consolidator.finishing import Finishing
from services.consolidator.gathering import Gathering
from services.consolidator.maintenance.maintaining import Maintaining
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.profiles import Describing
from services.consolidator.projecting import Projecting
from services.consolidator.questioning import Questioning
from services.consolidator.reconciler import Comparing, Reconciler
from services.consolidator.summaries import SummaryPoints
from services.consolidator.todos import KnownTodos, Reminding
from services.consolidator.unsaying import Unsaying
from services.consolidator.writing import Writing

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
        vectors: VectorStore = stores.vectors
        self.projecting = comparing = None
        if with_vectors:
            self.projecting = Projecting(
                vectors,
                memories=stores.memories,
                publisher=stores.published,
                metrics=self.metrics,
                clock=clock,
            )
            comparing = Comparing(
                stores.memories,
                stores.namespaces,
                self.projecting,
                self.metrics,
                Census(stores.settings, self.metrics),
            )
        self.points = None
        if with_vectors:
            self.points = SummaryPoints(
                vectors,
                stores.summaries,
                publisher=stores.published,
                metrics=self.metrics,
                clock=clock,
            )
        self.describing = Describing(
            needs=stores.needs,
            profiles=stores.profiles,
            summaries=stores.summaries,
            todos=stores.todos,
            memories=stores.memories,
            namespaces=stores.namespaces,
            users=users,
            publisher=stores.published,
            clock=clock,
        )
        self.finishing = finishing = Finishing(
            change_sets=stores.change_sets,
            memories=stores.memories,
            settings=stores.settings,
            namespaces=stores.namespaces,
            withheld=stores.withheld,
            erasing=Erasing(stores.epochs, stores.erasures, wake=lambda: None, clock=clock),
            projecting=self.projecting,
            derived=Derived(
                stores.todos,
                stores.summaries,
                self.points,
                stores.profiles,
                stores.needs,
                stores.entities,
                stores.withheld,
                publisher=stores.published,
                clock=clock,
            ),
            publisher=stores.published,
            metrics=self.metrics,
        )
        self.questioning = None
        if asks:
            self.questioning = Questioning(
                vectors,
                stores.memories,
                stores.published,
                threshold=NEAR,
                metrics=self.metrics,
                clock=clock,
            )
        completions = Completions(stores.completions, stores.todos, clock=clock)
        self.reminding = Reminding(stores.todos, publisher=stores.published, clock=clock)
        self.writing = Writing(
            unsaying=Unsaying(
                memories=stores.memories,
                namespaces=stores.namespaces,
                withheld=stores.withheld,
                publisher=stores.published,
                clock=clock,
            ),
            users=users,
            recent=CachedUserStates(users, clock=clock),
            change_sets=stores.change_sets,
            memories=stores.memories,
            gathering=Gathering(
                stores.memories,
                stores.namespaces,
                KnownTodos(stores.todos),
                stores.summaries,
                KnownEntities(stores.entities),
                stores.profiles,
                completions,
            ),
            completions=completions,
            commands=CommandReader(
                stores.memories,
                stores.namespaces,
                stores.change_sets,
                KnownTodos(stores.todos),
                KnownEntities(stores.entities),
            ),
            maintaining=Maintaining(
                stores.memories,
                KnownTodos(stores.todos),
                vectors if with_vectors else None,
                stores.published,
                tier=tier,
                threshold=NEAR,
                clock=clock,
                asking=stores.namespaces if asks else None,
            ),
            finishing=finishing,
            projecting=self.projecting,
            questioning=self.questioning,
            metrics=self.metrics,
            clock=clock,
        )
        self.comparing = comparing
        self.reconciler = Reconciler(
            users=users,
            change_sets=stores.change_sets,
            memories=stores.memories,
            finishing=finishing,
            comparing=comparing,
            metrics=self.metrics,
            clock=clock,
            interval=timedelta(seconds=30),
            grace=timedelta(minutes=10),
        )

    async def handle(self, *events: Event) -> Sequence[Rejection]:
        rejections = await self.writing.handle(events)
        await self.finishing.noted()
        if self.questioning is not None:
            await self.questioning.over()
        return rejections

    def counted(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(f"palimpsest_consolidator_{name}", labels) or 0.0
