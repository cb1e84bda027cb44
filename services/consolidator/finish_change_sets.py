"""Finishes stored change sets step by step: applied, projected, announced.

Each step is idempotent and the progress mark comes last. An unfinished change set simply goes
through all of its steps again.
"""

import time
from collections.abc import Iterable, Mapping, Sequence

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.envelope import derive_event_id
from palimpsest.events.text_vectors import TextVectors
from palimpsest.events.topics import CHANGES
from palimpsest.events.writes import SummaryReprojectionRequested
from palimpsest.model.change_set import ChangeSet, ChangeSetProgress, SettingsChange
from palimpsest.model.errors import EventTooLarge
from palimpsest.model.memory import Memory
from palimpsest.model.user import UserState
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.sequential_task import SequentialTask
from palimpsest_server.delivery.tracing import get_active_tracing
from palimpsest_server.domain.consolidation.withheld_evidence import find_withheld_evidence
from palimpsest_server.stores.change_sets import ChangeSetStore, DecidedChangeSet
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.user_settings import SettingsRevision, UserSettingsStore
from palimpsest_server.stores.withheld_messages import WithheldStore
from services.consolidator.change_set_spans import trace_change_sets
from services.consolidator.derived_records import DerivedRecords
from services.consolidator.erasure_step import ErasureStep
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.progress_marks import ProgressMarks, ProgressWriteBehind
from services.consolidator.vector_projection import VectorProjection


class ChangeSetFinisher:
    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        change_sets: ChangeSetStore,
        memories: MemoryStore,
        settings: UserSettingsStore,
        namespaces: NamespaceRegistry,
        withheld: WithheldStore,
        erasing: ErasureStep,
        projecting: VectorProjection | None,
        derived: DerivedRecords,
        publisher: Publisher,
        metrics: ConsolidatorMetrics,
    ) -> None:
        self._derived = derived
        self._change_sets = change_sets
        self._memories = memories
        self._settings = settings
        self._namespaces = namespaces
        self._withheld = withheld
        self.erasing = erasing
        self._projecting = projecting
        self._publisher = publisher
        self._metrics = metrics
        # Announcements can wait a moment, and nobody waits for a mark. Together they would take a
        # third of the time of a batch.
        self._telling = SequentialTask()
        self._noting = ProgressWriteBehind(
            change_sets, derived, failed=self._untell, metrics=metrics
        )
        self._untold: set[str] = set()

    def can_finish(self, progress: ChangeSetProgress) -> bool:
        """Return whether this process can take a change set with this progress any further."""
        return progress is ChangeSetProgress.DECIDED or (
            self._projecting is not None and progress is not ChangeSetProgress.ANNOUNCED
        )

    @property
    def untold(self) -> frozenset[str]:
        """Users with a change that could not be announced.

        Their later changes are not announced either, so that the order is kept, until `told` says
        that their unfinished change sets were resumed.
        """
        return frozenset(self._untold)

    def told(self, user_ids: Iterable[str]) -> None:
        self._untold.difference_update(user_ids)

    async def finish(
        self, decided: Sequence[DecidedChangeSet], checkpoints: Mapping[str, int] | None = None
    ) -> None:
        """Finish these change sets, in the order of their users' revisions, as far as this process can.

        On return they are applied and projected. They are announced and marked in the background
        (see `noted`). The checkpoints follow: everything up to them must be finished.
        """
        if decided:
            projected = await self._take_on(decided)
            done = {decided_change_set.change_set.id for decided_change_set in projected}
            applied = [
                decided_change_set.change_set.id
                for decided_change_set in decided
                if decided_change_set.change_set.id not in done
            ]
            change_sets = [decided_change_set.change_set for decided_change_set in projected]
            await self._telling.follow(self._tell(change_sets, applied, checkpoints or {}))

    async def project_again(self, events: Sequence[SummaryReprojectionRequested]) -> None:
        """Project summaries whose missing vectors were requested and have arrived."""
        await self._derived.project_again(events)

    async def _take_on(self, decided: Sequence[DecidedChangeSet]) -> Sequence[DecidedChangeSet]:
        """Apply and project change sets; return those that can be announced now."""
        began = time.time_ns()
        with self._metrics.timed("apply"):
            await self._apply([decided_change_set.change_set for decided_change_set in decided])
        with self._metrics.timed("project"):
            projected = await self._project(decided)
        if (tracing := get_active_tracing()) is not None:
            trace_change_sets(
                tracing, [decided_change_set.change_set for decided_change_set in decided], began
            )
        return projected

    async def _tell(
        self,
        change_sets: Sequence[ChangeSet],
        applied: list[str],
        checkpoints: Mapping[str, int],
    ) -> None:
        """Announce change sets and queue their marks. After a failure they are left to `resume`."""
        next_ones = [
            change_set for change_set in change_sets if change_set.user_id not in self._untold
        ]
        try:
            with self._metrics.timed("announce"):
                await self._announce(next_ones)
        except BaseException:
            self._untell(change_set.user_id for change_set in next_ones)
            raise
        self._noting.add(
            ProgressMarks(
                # Change sets of a user whose earlier marks failed meanwhile are announced again.
                [change_set for change_set in next_ones if change_set.user_id not in self._untold],
                applied,
                {one: revision for one, revision in checkpoints.items() if one not in self._untold},
            )
        )

    def _untell(self, user_ids: Iterable[str]) -> None:
        self._untold.update(user_ids)

    async def noted(self) -> None:
        """Return when the progress of everything finished so far is stored."""
        await self._telling.over()
        await self._noting.over()

    async def resume(
        self, decided: Sequence[DecidedChangeSet], states: Mapping[str, UserState]
    ) -> None:
        """Finish change sets that were left unfinished; those of an older epoch are closed unapplied."""
        erased = [
            decided_change_set
            for decided_change_set in decided
            if decided_change_set.change_set.epoch < states[decided_change_set.user_id].epoch
        ]
        if erased:
            closed = [decided_change_set.change_set.id for decided_change_set in erased]
            await self._change_sets.mark(closed, ChangeSetProgress.ANNOUNCED)
            self._metrics.dropped.labels("older_epoch").inc(len(erased))
        standing = [
            decided_change_set for decided_change_set in decided if decided_change_set not in erased
        ]
        if standing:
            projected = await self._take_on(standing)
            announced = [decided_change_set.change_set for decided_change_set in projected]
            with self._metrics.timed("announce"):
                await self._announce(announced)
            applied = [
                decided_change_set.change_set.id
                for decided_change_set in standing
                if decided_change_set not in projected
            ]
            await self._noting.write(ProgressMarks(announced, applied))
        self._metrics.resumed.inc(len(standing))

    async def _apply(self, change_sets: Sequence[ChangeSet]) -> None:
        await self.erasing.apply(change_sets)
        changes = [change for change_set in change_sets for change in change_set.memory_changes]
        if changes:
            await self._namespaces.register({change.after.scope.namespace for change in changes})
            self._metrics.version_conflicts.inc(await self._memories.apply(changes))
        await self._withheld.write(
            [
                withheld_evidence
                for change_set in change_sets
                for withheld_evidence in find_withheld_evidence(change_set)
            ]
        )
        await self._derived.apply(change_sets)
        await self._settings.write(
            [
                SettingsRevision(
                    user_id=change_set.user_id, revision=change_set.revision, settings=change.after
                )
                for change_set in change_sets
                for change in change_set.changes
                if isinstance(change, SettingsChange)
            ]
        )

    async def _project(self, decided: Sequence[DecidedChangeSet]) -> Sequence[DecidedChangeSet]:
        """Project change sets; return those that are projected now, or need no projection."""
        memories: dict[str, Memory] = {}
        vectors: dict[str, TextVectors] = {}
        for one in decided:
            memories |= {change.after.id: change.after for change in one.change_set.memory_changes}
            # Vectors of an earlier wording do not fit the new one.
            for reworded in one.change_set.reworded:
                vectors.pop(reworded, None)
            vectors |= one.vectors
        reworded_without = {
            each
            for decided_change_set in decided
            for each in decided_change_set.change_set.reworded
            if each not in vectors
        }
        if self._projecting is None:
            return [
                decided_change_set
                for decided_change_set in decided
                if not decided_change_set.change_set.has_points
            ]
        await self._derived.project(decided)
        if memories:
            await self._projecting.memories(list(memories.values()), vectors, reworded_without)
        return decided

    async def _announce(self, change_sets: Sequence[ChangeSet]) -> None:
        await self._derived.announce(change_sets)
        announced = [_announced(change_set) for change_set in change_sets]
        try:
            await self._publisher.publish(CHANGES, announced)
        except EventTooLarge:
            for change_set_announced in announced:
                await self._announce_alone(change_set_announced)

    async def _announce_alone(self, announced: ChangeSetAnnounced) -> None:
        try:
            await self._publisher.publish(CHANGES, [announced])
        except EventTooLarge:
            # Waiters for the change must be notified. They read the changes themselves in MongoDB.
            bare = announced.change_set.model_copy(update={"changes": ()})
            await self._publisher.publish(
                CHANGES, [announced.model_copy(update={"change_set": bare})]
            )


def _announced(change_set: ChangeSet) -> ChangeSetAnnounced:
    cause = change_set.cause
    return ChangeSetAnnounced(
        event_id=derive_event_id("ChangeSetAnnounced", change_set.user_id, change_set.id),
        occurred_at=cause.occurred_at,
        received_at=cause.received_at,
        epoch=change_set.epoch,
        user_id=change_set.user_id,
        trace=cause.trace,
        change_set=change_set.at(ChangeSetProgress.PROJECTED),
    )
