"""Reconciler of unfinished change sets and differing projections; it runs periodically."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime

import structlog

from palimpsest.model.change_set import ChangeSet, ChangeSetProgress
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Namespace
from palimpsest_server.delivery.error_classification import (
    is_transient,
)
from palimpsest_server.delivery.reconciliation import PeriodicReconciliation, ReconcilerTimes
from palimpsest_server.error_places import locate_error
from palimpsest_server.stores.change_sets import ChangeSetStore
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.user_states import UserStates
from services.consolidator.finish_change_sets import ChangeSetFinisher
from services.consolidator.memory_counts import MemoryCensus
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.turn_comparison import TurnComparison
from services.consolidator.vector_projection import VectorProjection

UNFINISHED_PER_READ = 512
CHANGE_SETS_PER_BATCH = 64
MEMORIES_PER_COMPARISON = 256
MEMORIES_PER_LOOK = 1_024
PAGES_PER_LOOK = 64
"""The most pages per look, to spare the database. Reading and comparing a full page takes a tenth
of a second. One in a hundred recalls may meet that, not one in twenty.
"""
PAUSE_SECONDS = 0.5
"""Seconds between full pages, so that a recall waits behind one page at most."""

_log = structlog.get_logger("palimpsest.consolidator")


class ChangeSetReconciler:
    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        users: UserStates,
        change_sets: ChangeSetStore,
        memories: MemoryStore,
        finishing: ChangeSetFinisher,
        comparing: "ProjectionComparison | None",
        turns: TurnComparison | None,
        metrics: ConsolidatorMetrics,
        clock: Clock,
        times: ReconcilerTimes,
    ) -> None:
        self._users = users
        self._change_sets = change_sets
        self._memories = memories
        self._finishing = finishing
        self._comparing = comparing
        self._turns = turns
        self._metrics = metrics
        self._clock = clock
        self._grace = times.grace
        self._loop = PeriodicReconciliation(
            self.look, times, log=_log, failure="could not reconcile"
        )
        self.check = self._loop.check
        self._given_up: set[str] = set()
        """Ids of change sets that failed for good; they are retried after the next start."""

    async def watch(self, *, log_was_lost: bool) -> None:
        """Reconcile periodically, until cancelled.

        With `log_was_lost` change sets decided before now come first: Kafka has lost their events.
        """
        await self._loop.run(lost_before=self._clock() if log_was_lost else None)

    async def look(self, lost_before: datetime | None = None) -> None:
        """Finish change sets, compare the projection, and sum up accesses, once.

        With `lost_before` every change set that was decided before that moment is finished.
        """
        await self.finish_unfinished(lost_before or self._clock() - self._grace)
        if self._comparing is not None:
            await self._comparing.look()
        if self._turns is not None:
            await self._turns.look()
        await self.fold_accesses()

    async def fold_accesses(self) -> None:
        """Sum up accesses counted a while ago: it is much to write, and nobody waits for it."""
        now = self._clock()
        while await self._memories.fold_accesses(before=now - self._grace, now=now):
            pass

    async def finish_unfinished(self, decided_before: datetime) -> None:
        """Finish every change set decided before this moment, as far as this process can."""
        while await self._finish_some(decided_before):
            pass

    async def _finish_some(self, decided_before: datetime) -> bool:
        # Only change sets that this process can finish: the others must not hide them.
        change_sets = await self._change_sets.unfinished(
            UNFINISHED_PER_READ + len(self._given_up),
            progress=[step for step in ChangeSetProgress if self._finishing.can_finish(step)],
        )
        self._measure(change_sets)
        left = [
            change_set.id
            for change_set in change_sets
            if change_set.decided_at < decided_before and change_set.id not in self._given_up
        ]
        for part in _parts(left, CHANGE_SETS_PER_BATCH):
            await self._finish(part)
        return bool(left)

    async def _finish(self, change_set_ids: Sequence[str]) -> None:
        """Finish change sets; one that fails for good stops no other."""
        try:
            decided = await self._change_sets.read(change_set_ids)
            states = await self._users.of(
                {decided_change_set.user_id for decided_change_set in decided}
            )
            await self._finishing.resume(decided, states)
        except Exception as error:
            if is_transient(error):
                raise
            if len(change_set_ids) > 1:
                for change_set_id in change_set_ids:
                    await self._finish([change_set_id])
                return
            self._give_up(change_set_ids[0], error)

    def _give_up(self, change_set_id: str, error: Exception) -> None:
        self._given_up.add(change_set_id)
        self._metrics.given_up.inc()
        _log.error(
            "a change set cannot be finished",
            change_set=change_set_id,
            error=type(error).__name__,
            at=locate_error(error),
        )

    def _measure(self, change_sets: Sequence[ChangeSet]) -> None:
        self._metrics.unfinished.set(len(change_sets))
        now = self._clock()
        ages = [(now - change_set.decided_at).total_seconds() for change_set in change_sets]
        self._metrics.oldest_unfinished.set(max(ages, default=0.0))


class ProjectionComparison:
    """Compares all memories with their vectors, round by round; a second difference requests vectors."""

    def __init__(
        self,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        projecting: VectorProjection,
        metrics: ConsolidatorMetrics,
        census: MemoryCensus,
    ) -> None:
        self._memories = memories
        self._namespaces = namespaces
        self._projecting = projecting
        self._metrics = metrics
        self._census = census
        self._users: set[str] = set()
        self._ahead: list[Namespace] = []
        self._pages: AsyncIterator[Sequence[Memory]] | None = None
        """The remaining pages of the last namespace in `_ahead`."""
        self._suspects: dict[str, int] = {}
        self._differing = 0

    async def look(self) -> None:
        """Compare the next memories, at most up to the end of the round."""
        if not self._ahead:
            self._ahead = [namespace.namespace for namespace in await self._namespaces.everything()]
            self._users = {namespace.user_id for namespace in self._ahead}
        compared = 0
        for _ in range(PAGES_PER_LOOK):
            page = await self._next_page()
            await self._compare(page)
            if not self._ahead:
                # The round is closed here, because the next look may begin another one.
                self._metrics.drift.set(self._differing)
                self._differing = 0
                await self._census.close(self._users)
                return
            compared += len(page)
            if compared >= MEMORIES_PER_LOOK:
                return
            await asyncio.sleep(PAUSE_SECONDS * len(page) / MEMORIES_PER_COMPARISON)

    async def _next_page(self) -> Sequence[Memory]:
        """Return the next page of this namespace or the next one; empty at the end."""
        if self._pages is not None:
            if page := await anext(self._pages, None):
                return page
            self._pages = None
            self._ahead.pop()
        if not self._ahead:
            return ()
        self._pages = self._memories.pages(self._ahead[-1], size=MEMORIES_PER_COMPARISON)
        return await anext(self._pages, ())

    async def _compare(self, page: Sequence[Memory]) -> None:
        self._census.count(page)
        differing = await self._projecting.differing(page)
        self._differing += len(differing)
        # A memory just written differs for a moment, so only a repeated difference requests
        # vectors.
        again = [one for one in differing if self._suspects.get(one.id) == one.version]
        for memory in page:
            self._suspects.pop(memory.id, None)
        self._suspects |= {one.id: one.version for one in differing}
        await self._projecting.request(again)


def _parts(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
