"""The batch in flight, and what happens to it when its partitions are revoked."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

CUTTING_SHORT_SECONDS = 2.0
"""Longest wait for a cancelled handler, which must not hold up the whole group."""


class BatchDropped(Exception):
    """The batch in flight was dropped: none of its offsets may be committed."""


class InFlightBatch:
    """Tracks the batch that is being handled, at most one. Made inside the event loop that uses it."""

    def __init__(self) -> None:
        self._revoked = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self._stopping = False
        self._work: asyncio.Task[None] | None = None
        self._cut_short = False
        self.assigned = False
        """True from the first assignment on, except during a rebalance."""

    @property
    def is_revoked(self) -> bool:
        """Return whether the partitions are about to go to another member."""
        return self._revoked.is_set()

    @property
    def is_busy(self) -> bool:
        """Return whether a batch is in flight."""
        return not self._empty.is_set()

    def begin(self) -> None:
        """Begin a batch. It is in flight until `done`, even once its work is finished."""
        self._empty.clear()

    def done(self) -> None:
        """End the batch: its offsets will be committed, or its partitions were wound back."""
        self._empty.set()

    async def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Work on the batch in flight.

        Raises:
            BatchDropped: its partitions were revoked and the work took too long.
        """
        if self._revoked.is_set():
            work.close()
            raise BatchDropped
        self._cut_short = False
        self._work = asyncio.ensure_future(work)
        try:
            await self._work
        except asyncio.CancelledError:
            if self._cut_short:
                raise BatchDropped from None
            # The consumer itself was cancelled, so nobody is left to end the batch.
            self.done()
            raise
        finally:
            self._work = None

    async def pause(self, seconds: float) -> None:
        """Wait in place, as long as the partitions stay assigned.

        Raises:
            BatchDropped: the partitions were revoked, or the stage is stopping.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._revoked.wait()
        except TimeoutError:
            return
        raise BatchDropped

    async def revoke(self, patience_seconds: float) -> None:
        """Let the batch in flight finish within this time, or drop it. Returns when none is in flight."""
        self.assigned = False
        self._revoked.set()
        try:
            async with asyncio.timeout(patience_seconds):
                await self._empty.wait()
        except TimeoutError:
            if self._work is not None:
                self._cut_short = True
                self._work.cancel()
            with suppress(TimeoutError):
                async with asyncio.timeout(CUTTING_SHORT_SECONDS):
                    await self._empty.wait()

    def assign(self) -> None:
        """Continue after partitions were assigned."""
        self.assigned = True
        if not self._stopping:
            self._revoked.clear()

    def stop(self) -> None:
        """End a wait in place at once; work in flight may finish."""
        self._stopping = True
        self.assigned = False
        self._revoked.set()
