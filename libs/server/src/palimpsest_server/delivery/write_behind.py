"""Write-behind buffer for progress markers.

Keeps the latest value per key and flushes all of them in one write after a delay. Use it only for
markers that save work. If the process dies first, the step is repeated with the same effect.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, Generic, TypeVar

import structlog

from palimpsest_server.delivery.error_classification import describe_failure

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

BEHIND = timedelta(seconds=2)
"""Delay of a write. Users send messages about as often, and reconcilers look for lost marks after ten
seconds at the earliest."""

_log = structlog.get_logger("palimpsest_server.delivery")


class WriteBehindBuffer(Generic[KeyT, ValueT]):
    def __init__(
        self,
        write: Callable[[Mapping[KeyT, ValueT]], Awaitable[object]],
        *,
        behind: timedelta = BEHIND,
    ) -> None:
        self._write = write
        self._behind = behind
        self._waiting: dict[KeyT, ValueT] = {}
        self._some = asyncio.Event()

    def waiting(self, keys: Iterable[KeyT]) -> dict[KeyT, ValueT]:
        """Return the unwritten values of these keys."""
        return {key: self._waiting[key] for key in keys if key in self._waiting}

    def note(self, marks: Mapping[KeyT, ValueT]) -> None:
        """Write these values after the delay, in place of older ones of the same keys."""
        if marks:
            self._waiting |= marks
            self._some.set()

    def drop(self, keys: Iterable[KeyT]) -> None:
        """Forget the waiting values of these keys."""
        for key in keys:
            self._waiting.pop(key, None)
        if not self._waiting:
            self._some.clear()

    async def run(self) -> None:
        """Flush after each delay in which there was something to write, until cancelled."""
        while True:
            await self._some.wait()
            await asyncio.sleep(self._behind.total_seconds())
            try:
                await self.flush()
            except Exception as error:  # noqa: BLE001 - what waits goes on waiting
                _log.warning("marks could not be written", **describe_failure(error))

    async def flush(self) -> None:
        """Write everything now. Values that cannot be written stay in the buffer."""
        taken = dict(self._waiting)
        if not taken:
            return
        await self._write(taken)
        for key, value in taken.items():
            # A value that came meanwhile is written the next time.
            if self._waiting.get(key) is value:
                del self._waiting[key]
        if not self._waiting:
            self._some.clear()


async def flush_buffers(late: Iterable[WriteBehindBuffer[Any, Any]]) -> None:
    """Flush these buffers at the end. Values that cannot be written now are lost."""
    for marks in late:
        try:
            await marks.flush()
        except Exception as error:  # noqa: BLE001 - see above
            _log.warning("marks are left unwritten", **describe_failure(error))
