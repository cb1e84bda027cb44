"""How the parts of a consolidator are put together, whatever they keep things in."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from palimpsest.delivery.publishing import Publisher
from palimpsest.domain.clock import Clock
from palimpsest.domain.user import Tier
from palimpsest.stores.user_states import CachedUserStates
from palimpsest.stores.users import UserStates
from palimpsest.stores.vectors import VectorStore
from services.consolidator.census import Census
from services.consolidator.commands.reading import CommandReader
from services.consolidator.completions import Completions
from services.consolidator.deriving import Derived
from services.consolidator.entities import KnownEntities
from services.consolidator.erasing import Erasing
from services.consolidator.finishing import Finishing
from services.consolidator.gathering import Gathering
from services.consolidator.keeping import Keeping
from services.consolidator.maintenance.maintaining import Maintaining
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.profiles import Describing
from services.consolidator.projecting import Projecting
from services.consolidator.questioning import Questioning
from services.consolidator.reconciler import Comparing, Reconciler
from services.consolidator.summaries import SummaryPoints
from services.consolidator.todos import KnownTodos
from services.consolidator.unsaying import Unsaying
from services.consolidator.writing import Writing


@dataclass(frozen=True, kw_only=True)
class Wiring:
    """What all parts stand on."""

    keeping: Keeping
    users: UserStates
    vectors: VectorStore | None
    """None where another process has them: it projects what is decided here."""
    publisher: Publisher
    metrics: ConsolidatorMetrics
    clock: Clock

    def projecting(self) -> Projecting | None:
        if self.vectors is None:
            return None
        return Projecting(
            self.vectors,
            memories=self.keeping.memories,
            publisher=self.publisher,
            metrics=self.metrics,
            clock=self.clock,
        )

    def comparing(self, projecting: Projecting | None) -> Comparing | None:
        if projecting is None:
            return None
        census = Census(self.keeping.settings, self.metrics)
        memories, namespaces = self.keeping.memories, self.keeping.namespaces
        return Comparing(memories, namespaces, projecting, self.metrics, census)

    def points(self) -> SummaryPoints | None:
        if self.vectors is None:
            return None
        return SummaryPoints(
            self.vectors,
            self.keeping.summaries,
            publisher=self.publisher,
            metrics=self.metrics,
            clock=self.clock,
        )

    def finishing(
        self,
        projecting: Projecting | None,
        points: SummaryPoints | None,
        *,
        wake: Callable[[], None],
    ) -> Finishing:
        """`wake`: tells whoever obeys erasures that there is one."""
        keeping = self.keeping
        return Finishing(
            change_sets=keeping.change_sets,
            memories=keeping.memories,
            settings=keeping.settings,
            namespaces=keeping.namespaces,
            withheld=keeping.withheld,
            erasing=Erasing(keeping.epochs, keeping.erasures, wake=wake, clock=self.clock),
            projecting=projecting,
            derived=Derived(
                keeping.todos,
                keeping.summaries,
                points,
                keeping.profiles,
                keeping.needs,
                keeping.entities,
                keeping.withheld,
                publisher=self.publisher,
                clock=self.clock,
            ),
            publisher=self.publisher,
            metrics=self.metrics,
        )

    def questioning(self, *, threshold: float | None) -> Questioning | None:
        """Where it is known from which likeness on there is something to be asked."""
        if self.vectors is None or threshold is None:
            return None
        return Questioning(
            self.vectors,
            self.keeping.memories,
            self.publisher,
            threshold=threshold,
            metrics=self.metrics,
            clock=self.clock,
        )

    def writing(
        self,
        finishing: Finishing,
        projecting: Projecting | None,
        questioning: Questioning | None,
        *,
        recent: CachedUserStates,
        maintaining: Maintaining,
    ) -> Writing:
        keeping = self.keeping
        todos, entities = KnownTodos(keeping.todos), KnownEntities(keeping.entities)
        completions = Completions(keeping.completions, keeping.todos, clock=self.clock)
        return Writing(
            unsaying=Unsaying(
                memories=keeping.memories,
                namespaces=keeping.namespaces,
                withheld=keeping.withheld,
                publisher=self.publisher,
                clock=self.clock,
            ),
            users=self.users,
            recent=recent,
            change_sets=keeping.change_sets,
            memories=keeping.memories,
            gathering=Gathering(
                keeping.memories,
                keeping.namespaces,
                todos,
                keeping.summaries,
                entities,
                keeping.profiles,
                completions,
            ),
            completions=completions,
            commands=CommandReader(
                keeping.memories, keeping.namespaces, keeping.change_sets, todos, entities
            ),
            maintaining=maintaining,
            finishing=finishing,
            projecting=projecting,
            questioning=questioning,
            metrics=self.metrics,
            clock=self.clock,
        )

    def maintaining(self, *, tier: Tier, threshold: float | None, reflects: bool) -> Maintaining:
        """`reflects`: whether there is a model that many memories together are shown to."""
        return Maintaining(
            self.keeping.memories,
            KnownTodos(self.keeping.todos),
            self.vectors,
            self.publisher,
            tier=tier,
            threshold=threshold,
            clock=self.clock,
            asking=self.keeping.namespaces if reflects else None,
        )

    def reconciler(
        self,
        finishing: Finishing,
        comparing: Comparing | None,
        *,
        interval: timedelta,
        grace: timedelta,
    ) -> Reconciler:
        return Reconciler(
            users=self.users,
            change_sets=self.keeping.change_sets,
            memories=self.keeping.memories,
            finishing=finishing,
            comparing=comparing,
            metrics=self.metrics,
            clock=self.clock,
            interval=interval,
            grace=grace,
        )

    def describing(self) -> Describing:
        keeping = self.keeping
        return Describing(
            needs=keeping.needs,
            profiles=keeping.profiles,
            summaries=keeping.summaries,
            todos=keeping.todos,
            memories=keeping.memories,
            namespaces=keeping.namespaces,
            users=self.users,
            publisher=self.publisher,
            clock=self.clock,
        )
