"""One run of maintenance over a namespace, step by step. No I/O: its inputs are read before."""

from collections import Counter
from collections.abc import Collection
from datetime import date, datetime
from enum import StrEnum

from palimpsest.events.maintenance import RunMaintenance
from palimpsest.model.distillate import Distillate
from palimpsest.model.memory import Accesses, Memory, Status
from palimpsest.model.user import CompressionPolicy, UserSettings
from palimpsest_server.domain.compression.compress_memories import (
    CompressionGroup,
    choose_compression,
    compress_group,
    find_compression_groups,
)
from palimpsest_server.domain.compression.merge_memories import find_merges
from palimpsest_server.domain.consolidation.contradictions import (
    find_unrelated_contradictions,
    relate_pair,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import change_status
from palimpsest_server.domain.forgetting.decision import decide_forgetting
from palimpsest_server.domain.forgetting.due_day import find_due_day
from palimpsest_server.domain.forgetting.forgetting_rule import (
    ForgettingDecision,
    ForgettingVerdict,
)
from palimpsest_server.domain.forgetting.lifetimes import has_expired
from palimpsest_server.domain.forgetting.policies.registry import POLICIES
from palimpsest_server.domain.forgetting.retention_state import RetentionState
from palimpsest_server.domain.forgetting.unanswered_proposals import archive_unanswered
from palimpsest_server.domain.quotas import OVER_QUOTA_REASON, select_over_quota
from palimpsest_server.domain.reflection.model_input import (
    ReflectionInput,
    select_reflection_input,
)
from palimpsest_server.domain.reflection.rule_reflections import (
    WITHDRAWN,
    find_reflections,
    has_lost_bases,
)
from palimpsest_server.domain.reports.contradictions import (
    find_contradictions,
    settle_contradiction,
)
from services.consolidator.maintenance.inspection_history import (
    INSPECTION_HORIZON_DAYS,
    SMALL_NAMESPACE_MEMORIES,
    InspectionRecord,
)
from services.consolidator.maintenance.run_extent import MaintenanceExtent
from services.consolidator.maintenance.run_input import MaintenanceRunInput

MAXIMUM_CHANGES = 100
"""The most changes in one change set. Further changes go into the next part of the run."""
MAXIMUM_CHANGE_BYTES = 4 * 1024 * 1024
"""The most bytes of changes in one change set. MongoDB keeps no document above 16 MiB, and both
sides of each change are in it.
"""


class MaintenanceOutcome(StrEnum):
    """The outcome of a run for one memory."""

    FADED = "faded"
    FORGOTTEN = "forgotten by policy"
    CONTRADICTED = "contradicted"
    RELATED = "marked as contradicting"
    MERGED = "merged"
    WITHDRAWN = "withdrawn"
    UNANSWERED = "given up waiting for"
    OVER_QUOTA = "over quota"


class MaintenanceRun:
    """Puts the changes of maintenance into `known`, at most as many as fit into a change set."""

    def __init__(
        self,
        known: Overlay,
        material: MaintenanceRunInput,
        settings: UserSettings,
        *,
        limit: int | None,
        now: datetime,
    ) -> None:
        self._known = known
        self._material = material
        self._settings = settings
        self._limit = limit
        self._now = now
        self.counts: Counter[MaintenanceOutcome] = Counter()
        self._policy = POLICIES[settings.forgetting_policy]
        self._put_ids: set[str] = set()
        self._put_bytes = 0
        self.complete = True
        """False if something was left for the next part."""

    def take_all_steps(self) -> None:
        """Take all steps in order. A memory that one step removes is not inspected by the next."""
        if self._material.extent.is_one_by_one:
            self._forget()
            self._settle_contradictions()
            self._merge()
            self._withdraw()
            self._give_up_waiting()
        if self._material.extent.shows_the_whole:
            self._keep_to_the_quota()

    def proposals(self) -> list[Distillate]:
        """Return distillates of several memories; they become memories once they have vectors.

        Call it after the changes of the steps were taken.
        """
        made: list[Distillate] = []
        extent = self._material.extent
        if not self._asks_a_model:
            made += self._compressed()
        if extent.shows_the_whole and self._material.reflects:
            made += find_reflections(self._active(), self._settings.time_zone)
        return made

    def to_be_worded(self) -> list[tuple[Distillate, tuple[Memory, ...]]]:
        """Return distillates that a model is to word, each with the memories it is made of."""
        if not self._asks_a_model:
            return []
        return [
            (
                made,
                tuple(
                    memory
                    for memory_at_version in made.rests_on
                    if (memory := self._known.get(memory_at_version.memory_id))
                ),
            )
            for made in self._compressed()
        ]

    @property
    def _asks_a_model(self) -> bool:
        return self._material.reflected is not None and self._settings.memory_enabled

    def _compressed(self) -> list[Distillate]:
        if not self._material.extent.is_one_by_one:
            return []
        zone = self._settings.time_zone
        return [made for group in self._groups() for made in compress_group(group, time_zone=zone)]

    def to_ask_about(self) -> ReflectionInput | None:
        """Return the input of a reflection question; None without a model or with too little news."""
        if not self._material.extent.shows_the_whole or not self._material.reflects:
            return None
        if self._material.reflected is None:
            return None
        if not self._settings.memory_enabled:
            return None
        return select_reflection_input(self._active(), self._material.reflected)

    def look(self, event: RunMaintenance) -> InspectionRecord | None:
        """Return the record of memories that need no inspection soon; None if it would save nothing."""
        material = self._material
        if (
            not material.extent.is_one_by_one
            or choose_compression(self._settings) is not CompressionPolicy.NONE
        ):
            # Compression of a memory depends on the other idle memories.
            return None
        active = self._active()
        if (
            material.extent is MaintenanceExtent.ONLY_PAGE
            and len(active) < SMALL_NAMESPACE_MEMORIES
        ):
            return None
        return InspectionRecord(
            run=event,
            at=self._now,
            extent=material.extent,
            news=material.news,
            active=active,
            due={memory.id: day for memory in active if (day := self._due_on(memory)) is not None},
            after=material.after,
        )

    def _due_on(self, memory: Memory) -> date | None:
        tied = self._known.todos.is_open(memory.id)
        standing = self._standing(memory)
        return find_due_day(standing, self._policy, tied_to_todo=tied, days=INSPECTION_HORIZON_DAYS)

    def words(self) -> str:
        """Describe the run for the history."""
        done = ", ".join(f"{count} {what.value}" for what, count in self.counts.items())
        return f"maintenance: {done}" if done else "maintenance: nothing to do"

    def _forget(self) -> None:
        to_compress = {memory.id for group in self._groups() for memory in group.memories}
        for memory in self._active():
            standing = self._standing(memory)
            if memory.id in to_compress and not has_expired(standing):
                continue
            judgement = decide_forgetting(
                standing, self._policy, tied_to_todo=self._known.todos.is_open(memory.id)
            )
            if judgement.verdict is not ForgettingVerdict.KEPT and self._put(
                _after(memory, judgement, self._now)
            ):
                faded = judgement.verdict is ForgettingVerdict.FADED
                self.counts[
                    MaintenanceOutcome.FADED if faded else MaintenanceOutcome.FORGOTTEN
                ] += 1

    def _settle_contradictions(self) -> None:
        for found in find_contradictions(self._near()):
            earlier, later = (self._known.get(memory.id) or memory for memory in found)
            if earlier.status is later.status is Status.ACTIVE and self._put(
                *settle_contradiction(found._replace(earlier=earlier, later=later))
            ):
                self.counts[MaintenanceOutcome.CONTRADICTED] += 1
        for pair in find_unrelated_contradictions(self._near()):
            one, other = (self._known.get(memory.id) or memory for memory in pair)
            if self._put(*relate_pair(one, other)):
                self.counts[MaintenanceOutcome.RELATED] += 1

    def _merge(self) -> None:
        threshold = self._material.threshold
        if threshold is None or not self._material.cosines:
            return
        compared = {one for pair in self._material.cosines for one in pair}
        near = [memory for memory in self._near() if memory.id in compared]
        for merge in find_merges(near, self._material.cosines, threshold=threshold):
            if self._put(*merge.memories):
                self.counts[MaintenanceOutcome.MERGED] += len(merge.archived)

    def _withdraw(self) -> None:
        for memory in self._active():
            if has_lost_bases(memory, self._known.get) and self._put(
                change_status(memory, Status.FORGOTTEN, reason=WITHDRAWN)
            ):
                self.counts[MaintenanceOutcome.WITHDRAWN] += 1

    def _give_up_waiting(self) -> None:
        waiting = (self._known.get(one) for one in sorted(self._material.waiting))
        for memory in archive_unanswered(
            (one for one in waiting if one is not None), now=self._now
        ):
            if self._put(memory):
                self.counts[MaintenanceOutcome.UNANSWERED] += 1

    def _groups(self) -> list[CompressionGroup]:
        return find_compression_groups(
            [self._standing(memory) for memory in self._active()],
            choose_compression(self._settings),
            self._policy,
            tied_to_todo=self._known.todos.is_open,
            rested_on=self._material.rested_on,
        )

    def _keep_to_the_quota(self) -> None:
        if self._limit is None:
            return
        least = self._standing_of(self._material.least)
        room = self._limit - self._material.uncounted
        going = select_over_quota(least, (), self._material.accesses, limit=max(room, 0))
        for memory in going:
            if self._put(change_status(memory, Status.ARCHIVED, reason=OVER_QUOTA_REASON)):
                self.counts[MaintenanceOutcome.OVER_QUOTA] += 1
        # If even all of these are not enough, the next part reads further ones.
        self.complete = self.complete and not (going and room < 0)

    def _active(self) -> list[Memory]:
        """Return the page's active memories, in an order that does not depend on how they were read."""
        return self._standing_of(self._material.page)

    def _near(self) -> list[Memory]:
        return self._standing_of(self._material.page | self._material.beside)

    def _standing_of(self, ids: Collection[str]) -> list[Memory]:
        known = [memory for one in ids if (memory := self._known.get(one)) is not None]
        active = [memory for memory in known if memory.status is Status.ACTIVE]
        return sorted(active, key=lambda memory: (memory.recorded_at, memory.id))

    def _standing(self, memory: Memory) -> RetentionState:
        accesses = self._material.accesses.get(memory.id, Accesses())
        return RetentionState(memory, accesses, self._now)

    def _put(self, *memories: Memory) -> bool:
        """Change these memories, all or none; return False if the change set has no room for them."""
        size = sum(estimate_change_bytes(memory) for memory in memories)
        # A change that is too large by itself would otherwise be put off for ever.
        fits = not self._put_ids or (
            len(self._put_ids) + len(memories) <= MAXIMUM_CHANGES
            and self._put_bytes + size <= MAXIMUM_CHANGE_BYTES
        )
        self.complete = self.complete and fits
        if fits:
            for memory in memories:
                self._known.put(memory)
                self._put_ids.add(memory.id)
            self._put_bytes += size
        return fits


def estimate_change_bytes(memory: Memory) -> int:
    """Estimate the bytes of a memory's change in a change set, which holds both sides of it."""
    return 2 * len(memory.model_dump_json().encode())


def _after(memory: Memory, judgement: ForgettingDecision, now: datetime) -> Memory:
    if judgement.verdict is ForgettingVerdict.FADED:
        return memory.model_copy(update={"importance": judgement.importance, "faded_at": now})
    return change_status(memory, Status.FORGOTTEN, reason=judgement.reason)
