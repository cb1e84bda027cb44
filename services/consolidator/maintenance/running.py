"""One run of maintenance over a namespace, step by step. No I/O: what it looks at was read before."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from palimpsest.domain.compression.compressing import Group, compressed, compression_of, groups
from palimpsest.domain.compression.distillate import Distillate
from palimpsest.domain.compression.merging import Cosines, merges
from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.forgetting.judging import judged
from palimpsest.domain.forgetting.lifetimes import has_expired
from palimpsest.domain.forgetting.policies import POLICIES
from palimpsest.domain.forgetting.policy import Judgement, Verdict
from palimpsest.domain.forgetting.standing import Standing
from palimpsest.domain.memory import Accesses, Memory, Status
from palimpsest.domain.quotas import OVER_QUOTA, over_quota
from palimpsest.domain.reflection.reflecting import WITHDRAWN, is_withdrawn, reflections
from palimpsest.domain.reports.contradictions import contradictions, settled
from palimpsest.domain.scope import Namespace
from palimpsest.domain.user import UserSettings

MOST_CHANGES = 100
"""In one change set: what is more goes into the next part of the run."""


class Maintained(StrEnum):
    """What a run did to a memory."""

    FADED = "faded"
    FORGOTTEN = "forgotten by policy"
    CONTRADICTED = "contradicted"
    MERGED = "merged"
    WITHDRAWN = "withdrawn"
    OVER_QUOTA = "over quota"


@dataclass(frozen=True, kw_only=True)
class Material:
    """What a run looks at beside the memories."""

    namespace: Namespace
    accesses: Mapping[str, Accesses] = field(default_factory=dict)
    cosines: Cosines = field(default_factory=dict)
    threshold: float | None = None
    """From which of them on memories may be one; None: none are merged."""


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
        self.complete = True
        """False where something was left for the next part."""

    def through(self) -> None:
        """All steps, in this order: what one takes away, the next need not look at."""
        self._forget()
        self._settle_contradictions()
        self._merge()
        self._withdraw()
        self._keep_to_the_quota()

    def proposals(self) -> list[Distillate]:
        """What is to be made of several memories, once it has its vectors.

        To be asked for when what the steps have changed has been taken.
        """
        compressed_ones = [made for group in self._groups() for made in compressed(group)]
        return [*compressed_ones, *reflections(self._active(), self._settings.time_zone)]

    def words(self) -> str:
        """What was done, for the history."""
        done = ", ".join(f"{count} {what.value}" for what, count in self.counts.items())
        return f"maintenance: {done}" if done else "maintenance: nothing to do"

    def _forget(self) -> None:
        to_compress = {memory.id for group in self._groups() for memory in group.memories}
        for memory in self._active():
            if memory.id in to_compress and not has_expired(self._standing(memory)):
                continue
            judgement = judged(
                self._standing(memory),
                self._policy,
                tied_to_todo=self._known.todos.is_open(memory.id),
            )
            if judgement.verdict is not Verdict.KEPT and self._has_room(1):
                self._put(_after(memory, judgement, self._now))
                faded = judgement.verdict is Verdict.FADED
                self.counts[Maintained.FADED if faded else Maintained.FORGOTTEN] += 1

    def _settle_contradictions(self) -> None:
        for found in contradictions(self._active()):
            earlier, later = (self._known.get(one.id) or one for one in found)
            if earlier.status is later.status is Status.ACTIVE and self._has_room(2):
                self._put(*settled(found._replace(earlier=earlier, later=later)))
                self.counts[Maintained.CONTRADICTED] += 1

    def _merge(self) -> None:
        threshold = self._material.threshold
        if threshold is None:
            return
        for merge in merges(self._active(), self._material.cosines, threshold=threshold):
            if self._has_room(len(merge.memories)):
                self._put(*merge.memories)
                self.counts[Maintained.MERGED] += len(merge.archived)

    def _withdraw(self) -> None:
        for memory in self._active():
            if is_withdrawn(memory, self._known.get) and self._has_room(1):
                self._put(moved(memory, Status.FORGOTTEN, reason=WITHDRAWN))
                self.counts[Maintained.WITHDRAWN] += 1

    def _groups(self) -> list[Group]:
        return groups(
            [self._standing(memory) for memory in self._active()],
            compression_of(self._settings),
            self._policy,
            tied_to_todo=self._known.todos.is_open,
        )

    def _keep_to_the_quota(self) -> None:
        going = over_quota(self._active(), (), self._material.accesses, limit=self._limit)
        for memory in going:
            if self._has_room(1):
                self._put(moved(memory, Status.ARCHIVED, reason=OVER_QUOTA))
                self.counts[Maintained.OVER_QUOTA] += 1

    def _active(self) -> list[Memory]:
        """In one order whatever they were read in."""
        known = self._known.of_namespace(self._material.namespace)
        active = [memory for memory in known if memory.status is Status.ACTIVE]
        return sorted(active, key=lambda memory: (memory.recorded_at, memory.id))

    def _standing(self, memory: Memory) -> Standing:
        accesses = self._material.accesses.get(memory.id, Accesses())
        return Standing(memory, accesses, self._now)

    def _has_room(self, changes: int) -> bool:
        pending = len(self._put_ids)
        # What is too much by itself would otherwise be put off for ever.
        fits = pending == 0 or pending + changes <= MOST_CHANGES
        self.complete = self.complete and fits
        return fits

    def _put(self, *memories: Memory) -> None:
        for memory in memories:
            self._known.put(memory)
            self._put_ids.add(memory.id)


def _after(memory: Memory, judgement: Judgement, now: datetime) -> Memory:
    if judgement.verdict is Verdict.FADED:
        return memory.model_copy(update={"importance": judgement.importance, "faded_at": now})
    return moved(memory, Status.FORGOTTEN, reason=judgement.reason)
