"""Build the parts of a consolidator over any stores."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from palimpsest.model.clock import Clock
from palimpsest.model.user import Tier
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.stores.cached_user_states import CachedUserStates
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.vectors import VectorStore
from services.consolidator.commands.command_reader import CommandReader
from services.consolidator.completion_reports import CompletionReports
from services.consolidator.consolidator_stores import ConsolidatorStores
from services.consolidator.derived_records import DerivedRecords
from services.consolidator.duplicate_questions import DuplicateQuestions
from services.consolidator.entity_lookup import EntityLookup
from services.consolidator.erasure_step import ErasureStep
from services.consolidator.finish_change_sets import ChangeSetFinisher
from services.consolidator.maintenance.coordinator import MaintenanceCoordinator
from services.consolidator.memory_counts import MemoryCensus
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.off_the_record_commands import OffTheRecordCommands
from services.consolidator.reconciler import ChangeSetReconciler, ProjectionComparison
from services.consolidator.refresh_profiles import ProfileRefresher
from services.consolidator.related_records import RelatedRecordReader
from services.consolidator.summary_changes import SummaryPoints
from services.consolidator.todo_reminders import TodoLookup
from services.consolidator.vector_projection import VectorProjection
from services.consolidator.write_batch import WriteBatchHandler


@dataclass(frozen=True, kw_only=True)
class ConsolidatorFactory:
    """The common ground of all parts of a consolidator."""

    keeping: ConsolidatorStores
    users: UserStates
    vectors: VectorStore | None
    """None where another process has them: it projects what is decided here."""
    publisher: Publisher
    metrics: ConsolidatorMetrics
    clock: Clock

    def projecting(self) -> VectorProjection | None:
        if self.vectors is None:
            return None
        return VectorProjection(
            self.vectors,
            memories=self.keeping.memories,
            publisher=self.publisher,
            metrics=self.metrics,
            clock=self.clock,
        )

    def comparing(self, projecting: VectorProjection | None) -> ProjectionComparison | None:
        if projecting is None:
            return None
        census = MemoryCensus(self.keeping.settings, self.metrics)
        memories, namespaces = self.keeping.memories, self.keeping.namespaces
        return ProjectionComparison(memories, namespaces, projecting, self.metrics, census)

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
        projecting: VectorProjection | None,
        points: SummaryPoints | None,
        *,
        wake: Callable[[], None],
    ) -> ChangeSetFinisher:
        """`wake`: tells whoever obeys erasures that there is one."""
        keeping = self.keeping
        return ChangeSetFinisher(
            change_sets=keeping.change_sets,
            memories=keeping.memories,
            settings=keeping.settings,
            namespaces=keeping.namespaces,
            withheld=keeping.withheld,
            erasing=ErasureStep(keeping.epochs, keeping.erasures, wake=wake, clock=self.clock),
            projecting=projecting,
            derived=DerivedRecords(
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

    def questioning(self, *, threshold: float | None) -> DuplicateQuestions | None:
        """Build the questions on duplicates.

        None if the embedding model has no similarity threshold.
        """
        if self.vectors is None or threshold is None:
            return None
        return DuplicateQuestions(
            self.vectors,
            self.keeping.memories,
            self.publisher,
            threshold=threshold,
            metrics=self.metrics,
            clock=self.clock,
        )

    def writing(
        self,
        finishing: ChangeSetFinisher,
        projecting: VectorProjection | None,
        questioning: DuplicateQuestions | None,
        *,
        recent: CachedUserStates,
        maintaining: MaintenanceCoordinator,
    ) -> WriteBatchHandler:
        keeping = self.keeping
        todos, entities = TodoLookup(keeping.todos), EntityLookup(keeping.entities)
        completions = CompletionReports(keeping.completions, keeping.todos, clock=self.clock)
        return WriteBatchHandler(
            unsaying=OffTheRecordCommands(
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
            gathering=RelatedRecordReader(
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

    def maintaining(
        self, *, tier: Tier, threshold: float | None, reflects: bool
    ) -> MaintenanceCoordinator:
        """`reflects`: whether there is a model that many memories together are shown to."""
        return MaintenanceCoordinator(
            self.keeping.memories,
            TodoLookup(self.keeping.todos),
            self.vectors,
            self.publisher,
            tier=tier,
            threshold=threshold,
            clock=self.clock,
            asking=self.keeping.namespaces if reflects else None,
        )

    def reconciler(
        self,
        finishing: ChangeSetFinisher,
        comparing: ProjectionComparison | None,
        *,
        interval: timedelta,
        grace: timedelta,
    ) -> ChangeSetReconciler:
        return ChangeSetReconciler(
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

    def describing(self) -> ProfileRefresher:
        keeping = self.keeping
        return ProfileRefresher(
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
