"""Each stage erases what it keeps, whenever an erasure was decided: even while it was down."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

import structlog

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.clock import Clock
from palimpsest.model.erasure import Erasure
from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.stores.decided_erasures import DecidedErasure, Eraser, ErasureStore

SETTLED_AFTER = timedelta(seconds=5)
"""What a process had in hand when it was decided may be written until then: two seconds of what
it remembers of a user, and a batch. So whoever obeys does so once more after that."""

INTERVAL = timedelta(seconds=5)

_log = structlog.get_logger("palimpsest.erasing")


class ErasureWorker:
    """Reads what was decided from MongoDB; an announcement only saves waiting."""

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
        self._watching: asyncio.Task[None] | None = None

    def register(self, eraser: Eraser) -> None:
        """Have this one erase as well; before `start`."""
        self._erasers.append(eraser)

    def leave_to_others(self) -> None:
        """This process can't erase all of it: another one of this stage does."""
        self._left = True

    def start(self) -> None:
        if self._left:
            return
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching

    def wake(self) -> None:
        """Something was decided just now."""
        self._wake.set()

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        if any(isinstance(change, Erasure) for change in event.change_set.changes):
            self.wake()

    async def look(self) -> None:
        """Erase all that was decided and not obeyed by this stage, one after another."""
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

    async def _watch(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self.look()
            except Exception as error:  # noqa: BLE001 - the next look may go better
                _log.warning("could not erase", stage=self._stage, error=describe_error(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(INTERVAL.total_seconds()):
                    await self._wake.wait()
