"""One run of maintenance over a namespace, step by step. No I/O: what it looks at was read before."""

from collections import Counter
from collections.abc import Collection
from datetime import date, datetime
from enum import StrEnum

from palimpsest.contracts.maintenance import RunMaintenance
from palimpsest.domain.compression.compressing import Group, compressed, compression_of, groups
from palimpsest.domain.compression.merging import merges
from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.forgetting.due import due_on
from palimpsest.domain.forgetting.judging import judged
from palimpsest.domain.forgetting.lifetimes import has_expired
from palimpsest.domain.forgetting.policies import POLICIES
from palimpsest.domain.forgetting.policy import Judgement, Verdict
from palimpsest.domain.forgetting.standing import Standing
from palimpsest.domain.forgetting.waiting import given_up
from palimpsest.domain.memory import Accesses, Memory, Status
from palimpsest.domain.quotas import OVER_QUOTA, over_quota
from palimpsest.domain.reflection.asking import Shown, to_be_shown
from palimpsest.domain.reflection.reflecting import WITHDRAWN, is_withdrawn, reflections
from palimpsest.domain.reports.contradictions import contradictions, settled
from palimpsest.domain.user import Compression, UserSettings
from palimpsest.model.distillate import Distillate
from services.consolidator.maintenance.extent import Extent
from services.consolidator.maintenance.material import Material
from services.consolidator.maintenance.seen import DAYS_AHEAD, LITTLE, Look

MOST_CHANGES = 100
"""In one change set: what is more goes into the next part of the run."""
MOST_BYTES = 4 * 1024 * 1024
"""And so many: MongoDB keeps no document above 16 MiB, and both sides of each change are in it."""


class Maintained(StrEnum):
    """What a run did to a memory."""

    FADED = "faded"
    FORGOTTEN = "forgotten by policy"
    CONTRADICTED = "contradicted"
    MERGED = "merged"
    WITHDRAWN = "withdrawn"
    UNANSWERED = "given up waiting for"
    OVER_QUOTA = "over quota"


class Run:
    """Puts into `known` what maintenance changes in it, at most so much as fits a change set."""

    def __init__(
        self,
        known: Overlay,
        material: Material,
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
        self.counts: Counter[Maintained] = Counter()
        self._policy = POLICIES[settings.forgetting_policy]
        self._put_ids: set[str] = set()
        self._put_bytes = 0
        self.complete = True
        """False where something was left for the next part."""

    def take_all_steps(self) -> None:
        """In this order: what one takes away, the next need not look at."""
        if self._material.extent.is_one_by_one:
            self._forget()
            self._settle_contradictions()
            self._merge()
            self._withdraw()
            self._give_up_waiting()
        if self._material.extent.shows_the_whole:
            self._keep_to_the_quota()

    def proposals(self) -> list[Distillate]:
        """What is to be made of several memories, once it has its vectors.

        To be asked for when what the steps have changed has been taken.
        """
        made: list[Distillate] = []
        extent = self._material.extent
        if extent.is_one_by_one:
            made += [each for group in self._groups() for each in compressed(group)]
        if extent.shows_the_whole and self._material.reflects:
            made += reflections(self._active(), self._settings.time_zone)
        return made

    def to_ask_about(self) -> Shown | None:
        """What a model is to say what it shows; None where there is none, or little is new."""
        if not self._material.extent.shows_the_whole or not self._material.reflects:
            return None
        if self._material.reflected is None:
            return None
        if not self._settings.memory_enabled:
            return None
        return to_be_shown(self._active(), self._material.reflected)

    def look(self, event: RunMaintenance) -> Look | None:
        """What need not be looked at again so soon; None where that would be worth nothing."""
        material = self._material
        if (
            not material.extent.is_one_by_one
            or compression_of(self._settings) is not Compression.NONE
        ):
            # What is compressed depends on what is idle together with it.
            return None
        active = self._active()
        if material.extent is Extent.ONLY_PAGE and len(active) < LITTLE:
            return None
        return Look(
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
        return due_on(standing, self._policy, tied_to_todo=tied, days=DAYS_AHEAD)

    def words(self) -> str:
        """What was done, for the history."""
        done = ", ".join(f"{count} {what.value}" for what, count in self.counts.items())
        return f"maintenance: {done}" if done else "maintenance: nothing to do"

    def _forget(self) -> None:
        to_compress = {memory.id for group in self._groups() for memory in group.memories}
        for memory in self._active():
            standing = self._standing(memory)
            if memory.id in to_compress and not has_expired(standing):
                continue
            judgement = judged(
                standing, self._policy, tied_to_todo=self._known.todos.is_open(memory.id)
            )
            if judgement.verdict is not Verdict.KEPT and self._put(
                _after(memory, judgement, self._now)
            ):
                faded = judgement.verdict is Verdict.FADED
                self.counts[Maintained.FADED if faded else Maintained.FORGOTTEN] += 1

    def _settle_contradictions(self) -> None:
        for found in contradictions(self._near()):
            earlier, later = (self._known.get(one.id) or one for one in found)
            if earlier.status is later.status is Status.ACTIVE and self._put(
                *settled(found._replace(earlier=earlier, later=later))
            ):
                self.counts[Maintained.CONTRADICTED] += 1

    def _merge(self) -> None:
        threshold = self._material.threshold
        if threshold is None or not self._material.cosines:
            return
        compared = {one for pair in self._material.cosines for one in pair}
        near = [memory for memory in self._near() if memory.id in compared]
        for merge in merges(near, self._material.cosines, threshold=threshold):
            if self._put(*merge.memories):
                self.counts[Maintained.MERGED] += len(merge.archived)

    def _withdraw(self) -> None:
        for memory in self._active():
            if is_withdrawn(memory, self._known.get) and self._put(
                moved(memory, Status.FORGOTTEN, reason=WITHDRAWN)
            ):
                self.counts[Maintained.WITHDRAWN] += 1

    def _give_up_waiting(self) -> None:
        waiting = (self._known.get(one) for one in sorted(self._material.waiting))
        for memory in given_up((one for one in waiting if one is not None), now=self._now):
            if self._put(memory):
                self.counts[Maintained.UNANSWERED] += 1

    def _groups(self) -> list[Group]:
        return groups(
            [self._standing(memory) for memory in self._active()],
            compression_of(self._settings),
            self._policy,
            tied_to_todo=self._known.todos.is_open,
            rested_on=self._material.rested_on,
        )

    def _keep_to_the_quota(self) -> None:
        if self._limit is None:
            return
        least = self._standing_of(self._material.least)
        room = self._limit - self._material.uncounted
        going = over_quota(least, (), self._material.accesses, limit=max(room, 0))
        for memory in going:
            if self._put(moved(memory, Status.ARCHIVED, reason=OVER_QUOTA)):
                self.counts[Maintained.OVER_QUOTA] += 1
        # Where even these are not enough, the next part reads the next ones.
        self.complete = self.complete and not (going and room < 0)

    def _active(self) -> list[Memory]:
        """Of the page, in one order whatever they were read in."""
        return self._standing_of(self._material.page)

    def _near(self) -> list[Memory]:
        return self._standing_of(self._material.page | self._material.beside)

    def _standing_of(self, ids: Collection[str]) -> list[Memory]:
        known = [memory for one in ids if (memory := self._known.get(one)) is not None]
        active = [memory for memory in known if memory.status is Status.ACTIVE]
        return sorted(active, key=lambda memory: (memory.recorded_at, memory.id))

    def _standing(self, memory: Memory) -> Standing:
        accesses = self._material.accesses.get(memory.id, Accesses())
        return Standing(memory, accesses, self._now)

    def _put(self, *memories: Memory) -> bool:
        """Change these, together or not at all; False where the change set has no room for it."""
        size = sum(bytes_of_change(memory) for memory in memories)
        # What is too much by itself would otherwise be put off for ever.
        fits = not self._put_ids or (
            len(self._put_ids) + len(memories) <= MOST_CHANGES
            and self._put_bytes + size <= MOST_BYTES
        )
        self.complete = self.complete and fits
        if fits:
            for memory in memories:
                self._known.put(memory)
                self._put_ids.add(memory.id)
            self._put_bytes += size
        return fits


def bytes_of_change(memory: Memory) -> int:
    """About how much a change of it takes in a change set: both sides of it."""
    return 2 * len(memory.model_dump_json().encode())


def _after(memory: Memory, judgement: Judgement, now: datetime) -> Memory:
    if judgement.verdict is Verdict.FADED:
        return memory.model_copy(update={"importance": judgement.importance, "faded_at": now})
    return moved(memory, Status.FORGOTTEN, reason=judgement.reason)
