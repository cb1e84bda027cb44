"""Reads the memories that a part of a run inspects: a page of the namespace, and memories near it."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.api.recall import RecordType
from palimpsest.events.maintenance import RunMaintenance
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory, Status
from palimpsest.model.user import CompressionPolicy, UserSettings
from palimpsest_language.attributes.attribute_names import is_single_valued
from palimpsest_server.domain.compression.compress_memories import choose_compression
from palimpsest_server.domain.compression.merge_memories import PairCosines
from palimpsest_server.domain.consolidation.memory_keys import attribute_key
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.vectors import VectorQuery, VectorStore
from services.consolidator.maintenance.inspection_history import (
    FRESH_PERIOD,
    SMALL_NAMESPACE_MEMORIES,
)
from services.consolidator.maintenance.run_extent import MaintenanceExtent

MEMORIES_PER_PART = 250
"""Memories in one part. Deciding about them takes 20 ms, and nothing else is decided meanwhile."""
DAYS_BETWEEN_SWEEPS = 30
"""Days between comparisons of all memories: runs are missed, thresholds change, and memories come
back.
"""
DAYS_BETWEEN_REFLECTIONS = 7
"""Days between reflections in a large namespace. The result hardly changes in a day, and all
memories must be read for it. No source states an interval; people read the result.
"""
DAYS_BETWEEN_PROPOSAL_REVIEWS = 7
"""Days between reviews of memories that wait for a confirmation."""
NEIGHBOURS = 8
MAXIMUM_SEARCHES_PER_CALL = 16
"""The most searches in one round trip. With embedded vectors such a call holds the interpreter."""


@dataclass(frozen=True, kw_only=True)
class InspectionTimes:
    """Limits on the time that searches of one part take."""

    search_budget_seconds: float = 0.2
    """Memories that are not compared within this time go into the next part, because other events
    wait.
    """
    maximum_call_seconds: float = 0.01
    """After a slower round trip the next one holds fewer searches. If a single search is slower, no
    index covers the vectors yet (some 40,000 memories of one namespace since the last start). Those
    memories are compared at the next sweep.
    """


DEFAULT_INSPECTION_TIMES = InspectionTimes()


@dataclass(frozen=True)
class InspectedMemories:
    """The memories that were read for one part."""

    extent: MaintenanceExtent
    page: Sequence[Memory]
    """In order of id if memories are inspected one by one; otherwise the latest memories."""
    least: Sequence[Memory] = ()
    """The least important memories, which go first if there are too many."""
    beside: Sequence[Memory] = ()
    cosines: PairCosines = field(default_factory=dict)
    rested_on: frozenset[str] = frozenset()
    waiting: Sequence[Memory] = ()
    """Memories that wait for a confirmation; only on the day of the week of their review."""
    after: str | None = None
    """The id behind which the next page begins; None if there is no next page."""
    news: frozenset[str] = frozenset()
    """The inspected ids, if the extent is `NEWS`. Memories that were not compared in time are left
    out.
    """
    reflects: bool = True
    """True on days of reflection."""


class InspectionReader:
    """Reads memories to inspect. Without vectors, or while the threshold is None, none is compared."""

    def __init__(
        self,
        memories: MemoryStore,
        vectors: VectorStore | None,
        threshold: Callable[[], float | None],
        times: InspectionTimes = DEFAULT_INSPECTION_TIMES,
    ) -> None:
        self._times = times
        self._memories = memories
        self._vectors = vectors
        self._threshold = threshold
        self._at_once = MAXIMUM_SEARCHES_PER_CALL
        """Searches in the next round trip: fewer if searches take long."""

    async def sight(
        self,
        run: RunMaintenance,
        settings: UserSettings,
        *,
        limit: int | None,
        now: datetime,
        news: frozenset[str] | None = None,
    ) -> InspectedMemories:
        """Read the memories that the next part of a run inspects.

        `limit` is the highest allowed number of active memories. `news` are the ids of memories
        that are new, changed or due since everything was inspected; None if they are not known.
        They are enough on days without a sweep or review.
        """
        if run.whole:
            return await self._whole(run, limit)
        if news is not None and not _is_for_everything(run) and len(news) < MEMORIES_PER_PART:
            return await self._news(run, news, now)
        return await self._page(run, settings, now)

    async def _page(
        self, run: RunMaintenance, settings: UserSettings, now: datetime
    ) -> InspectedMemories:
        namespace = run.scope.namespace
        memories = await self._memories.active_page(
            namespace, limit=MEMORIES_PER_PART, after=run.after
        )
        page, cosines = await self._compared(memories, run, now)
        waiting = await self._waiting(run)
        there_is_more = len(page) < len(memories) or len(memories) == MEMORIES_PER_PART
        if not there_is_more and run.after is None:
            return InspectedMemories(
                MaintenanceExtent.ONLY_PAGE,
                page,
                cosines=cosines,
                waiting=waiting,
                reflects=len(page) < SMALL_NAMESPACE_MEMORIES or _reflects(run),
            )
        return InspectedMemories(
            MaintenanceExtent.PAGE if there_is_more else MaintenanceExtent.LAST_PAGE,
            page,
            waiting=waiting,
            reflects=_reflects(run),
            beside=await self._beside(page, cosines, run),
            cosines=cosines,
            rested_on=await self._rested_on(page, settings, run),
            after=page[-1].id if there_is_more else None,
        )

    async def _news(
        self, run: RunMaintenance, ids: frozenset[str], now: datetime
    ) -> InspectedMemories:
        memories = await self._memories.of_namespaces({run.scope.namespace: ids})
        active = (memory for memory in memories if memory.status is Status.ACTIVE)
        standing = sorted(active, key=lambda memory: memory.id)
        page, cosines = await self._compared(standing, run, now)
        left = {memory.id for memory in standing[len(page) :]}
        return InspectedMemories(
            MaintenanceExtent.NEWS,
            page,
            waiting=await self._waiting(run),
            beside=await self._beside(page, cosines, run),
            cosines=cosines,
            news=ids - left,
        )

    async def _waiting(self, run: RunMaintenance) -> Sequence[Memory]:
        if run.after is not None or not _is_its_day(run, "waiting", DAYS_BETWEEN_PROPOSAL_REVIEWS):
            return ()
        return await self._memories.waiting(run.scope.namespace, limit=2 * MEMORIES_PER_PART)

    async def _whole(self, run: RunMaintenance, limit: int | None) -> InspectedMemories:
        """Read the latest memories for reflection, and with a limit the least important ones."""
        namespace = run.scope.namespace
        reflects = _reflects(run)
        latest: Sequence[Memory] = ()
        if reflects:
            latest = await self._memories.latest(namespace, limit=MEMORIES_PER_PART)
        least: Sequence[Memory] = ()
        if limit is not None:
            least = await self._memories.least_important(namespace, limit=MEMORIES_PER_PART)
        return InspectedMemories(MaintenanceExtent.WHOLE, latest, least=least, reflects=reflects)

    async def _compared(
        self, memories: Sequence[Memory], run: RunMaintenance, now: datetime
    ) -> tuple[Sequence[Memory], PairCosines]:
        """Return as much of the page as was compared in time, and cosines of pairs of memories."""
        compared = [
            memory for memory in memories if _sweeps(run) or memory.recorded_at > now - FRESH_PERIOD
        ]
        threshold = self._threshold()
        if self._vectors is None or threshold is None or not compared:
            return memories, {}
        dense = await self._vectors.dense({memory.id: memory.scope for memory in compared})
        asked = [memory for memory in compared if memory.id in dense]
        cosines: dict[tuple[str, str], float] = {}
        searched, start = 0.0, 0
        while start < len(asked):
            if start and searched > self._times.search_budget_seconds:
                last = asked[start - 1].id
                return [memory for memory in memories if memory.id <= last], cosines
            part = asked[start : start + self._at_once]
            began = time.monotonic()
            cosines |= await self._near(self._vectors, part, dense, threshold)
            seconds = time.monotonic() - began
            searched, start = searched + seconds, start + len(part)
            if len(part) == self._at_once:
                self._at_once = self._as_many(len(part), seconds)
            await asyncio.sleep(0)
            if len(part) == 1 and seconds > self._times.maximum_call_seconds:
                break
        return memories, cosines

    def _as_many(self, at_once: int, seconds: float) -> int:
        """Return the searches of the next round trip, after one of `at_once` searches took `seconds`."""
        longest = self._times.maximum_call_seconds
        if seconds > longest:
            return max(int(at_once * longest / seconds), 1)
        return min(2 * at_once, MAXIMUM_SEARCHES_PER_CALL) if 2 * seconds < longest else at_once

    async def _near(
        self,
        vectors: VectorStore,
        memories: Sequence[Memory],
        dense: Mapping[str, Sequence[float]],
        threshold: float,
    ) -> dict[tuple[str, str], float]:
        answers = await vectors.search_many(
            [_like(memory, dense[memory.id]) for memory in memories]
        )
        return {
            _pair(memory.id, hit.id): hit.cosine
            for memory, hits in zip(memories, answers, strict=True)
            for hit in hits
            if hit.id != memory.id and hit.cosine is not None and hit.cosine >= threshold
        }

    async def _beside(
        self, page: Sequence[Memory], cosines: PairCosines, run: RunMaintenance
    ) -> Sequence[Memory]:
        """Read memories near these, and memories with another value of the same attribute."""
        namespace = run.scope.namespace
        own = {memory.id for memory in page}
        nearest = sorted(cosines, key=lambda pair: (-cosines[pair], pair))
        near = dict.fromkeys(one for pair in nearest for one in pair if one not in own)
        keys = {
            key
            for memory in page
            if memory.attribute is not None and is_single_valued(memory.attribute)
            if (key := attribute_key(memory)) is not None
        }
        alike, disagreeing = await asyncio.gather(
            self._memories.of_namespaces({namespace: list(near)[:MEMORIES_PER_PART]}),
            self._memories.holding_attribute_keys(namespace, keys, limit=2 * MEMORIES_PER_PART),
        )
        found = {memory.id: memory for memory in (*alike, *disagreeing) if memory.id not in own}
        return list(found.values())

    async def _rested_on(
        self, page: Sequence[Memory], settings: UserSettings, run: RunMaintenance
    ) -> frozenset[str]:
        if choose_compression(settings) is CompressionPolicy.NONE:
            return frozenset()
        ids = [memory.id for memory in page]
        return await self._memories.rested_on(run.scope.namespace, ids)


def _is_for_everything(run: RunMaintenance) -> bool:
    return run.after is not None or _sweeps(run) or _reflects(run)


def _reflects(run: RunMaintenance) -> bool:
    return not run.is_of_the_day or _is_its_day(run, "reflection", DAYS_BETWEEN_REFLECTIONS)


def _sweeps(run: RunMaintenance) -> bool:
    return _is_its_day(run, "sweep", DAYS_BETWEEN_SWEEPS)


def _is_its_day(run: RunMaintenance, what: str, days: int) -> bool:
    """Tell whether this task is due in the run's namespace; due days differ between namespaces."""
    place = int(derive_id(what, run.user_id, run.agent_id)[:8], 16)
    return run.day.toordinal() % days == place % days


def _like(memory: Memory, dense: Sequence[float]) -> VectorQuery:
    return VectorQuery(
        scopes=(memory.scope,),
        records=frozenset({RecordType.MEMORY}),
        kinds=frozenset({memory.kind}),
        dense=dense,
        limit=NEIGHBOURS,
    )


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
