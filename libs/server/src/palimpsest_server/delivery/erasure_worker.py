"""Erases a stage's data after each decided erasure, including those decided while the stage was down."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.clock import Clock
from palimpsest.model.erasure import Erasure
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.stores.decided_erasures import DecidedErasure, Eraser, ErasureStore

SETTLED_AFTER = timedelta(seconds=5)
"""Longest duration of writes that were under way at the decision: two seconds of cached user states, and
a batch. A stage erases once more after this time."""

INTERVAL = timedelta(seconds=5)

_log = structlog.get_logger("palimpsest.erasing")


class ErasureWorker:
    """Reads decided erasures from MongoDB; announcements only save waiting."""

    def __init__(
        self,
        stage: str,
        erasures: ErasureStore,
        erasers: Sequence[Eraser],
        *,
        clock: Clock,
    ) -> None:
        self._stage = stage
        self._erasures = erasures
        self._erasers = list(erasers)
        self._clock = clock
        self._wake = asyncio.Event()
        self._left = False

    def register(self, eraser: Eraser) -> None:
        """Add an eraser; call it before the service starts."""
        self._erasers.append(eraser)

    def leave_to_others(self) -> None:
        """Leave erasures to another process of this stage, because this one cannot erase all of its data."""
        self._left = True

    @property
    def is_left_to_others(self) -> bool:
        return self._left

    def wake(self) -> None:
        """Look for erasures now."""
        self._wake.set()

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        if any(isinstance(change, Erasure) for change in event.change_set.changes):
            self.wake()

    async def look(self) -> None:
        """Carry out all erasures that this stage has not completed, one after another."""
        failed: Exception | None = None
        for decided in await self._erasures.waiting(self._stage):
            try:
                await self._obey(decided)
            except Exception as error:  # noqa: BLE001 - the others need not wait for this one
                failed = failed or error
        if failed is not None:
            raise failed

    async def _obey(self, decided: DecidedErasure) -> None:
        begun = self._clock()
        for eraser in self._erasers:
            await eraser.erase(decided)
        if self._is_settled(decided, begun):
            await self._erasures.mark_completed(decided.id, self._stage)

    def _is_settled(self, decided: DecidedErasure, begun: datetime) -> bool:
        return begun >= decided.known_since + SETTLED_AFTER

    async def watch(self) -> None:
        """Look for erasures on each wake-up, and every few seconds, until cancelled."""
        await run_periodically(
            self.look,
            every=INTERVAL,
            log=_log.bind(stage=self._stage),
            failure="could not erase",
            wake=self._wake,
        )
