"""Sequential task: runs one step at a time beside the batches, in their order."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

from palimpsest_server.delivery.error_classification import describe_error

_log = structlog.get_logger("palimpsest.stage")


class SequentialTask:
    """Runs one step at a time; a batch waits for the step of the batch before it.

    Use it only for steps that may be lost. After a crash or a failure the reconciler finds items that
    are not marked as done, and marks them.
    """

    def __init__(self) -> None:
        self._step: asyncio.Task[None] | None = None

    async def follow(self, step: Coroutine[Any, Any, None]) -> None:
        """Begin this step as soon as the step before it has ended, and return then."""
        try:
            await self.over()
        except BaseException:
            step.close()
            raise
        self._step = asyncio.create_task(step)

    async def over(self) -> None:
        """Return when no step is running."""
        if self._step is None:
            return
        await asyncio.wait([self._step])
        step, self._step = self._step, None
        if step is not None and not step.cancelled() and (error := step.exception()) is not None:
            _log.warning("not noted, which the reconciler will do", error=describe_error(error))
