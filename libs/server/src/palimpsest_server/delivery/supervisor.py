"""Background tasks: named, started again when they end, and seen by readiness.

A loop that runs beside the requests may end by a bug that its own handlers do not catch. Then
readiness fails, the log says where the task was, and the task is started again after a pause that
doubles with each failure in a row.
"""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import structlog

from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.error_classification import describe_failure

RESTART_BACKOFF = Backoff(first_seconds=0.5, maximum_seconds=60.0)

STEADY_SECONDS = 60.0
"""A task that ran for this long before it ended had recovered: its next pause is the shortest again."""

STOP_SECONDS = 10.0
"""Longest wait for the ends of cancelled tasks. A task that is not over by then is left behind."""

_log = structlog.get_logger("palimpsest.supervisor")


def _place_of(task: asyncio.Task[Any]) -> dict[str, object]:
    """Return where a task waits, as `describe_failure` names the place of an error."""
    return {"at": [f"{Path(at.f_code.co_filename).name}:{at.f_lineno}" for at in task.get_stack()]}


class BackgroundTask(Protocol):
    """Makes the coroutine of a task, once for each time that the task is started."""

    def __call__(self) -> Coroutine[Any, Any, Any]: ...


@dataclass
class _SupervisedTask:
    run: BackgroundTask
    until_done: bool
    keeper: asyncio.Task[None] | None = None
    current: asyncio.Task[Any] | None = None
    """None while the task waits to be started again."""
    failures: int = 0
    """Number of failures in a row."""

    @property
    def is_done_with(self) -> bool:
        """True if the task runs only once and has ended, even if its keeper has not noticed yet."""
        return self.until_done and (self.current is None or self.current.done())


class Supervisor:
    """Keeps the background tasks of one owner running until it is stopped."""

    def __init__(
        self,
        owner: str,
        *,
        backoff: Backoff = RESTART_BACKOFF,
        stop_seconds: float = STOP_SECONDS,
    ) -> None:
        """`owner` is the service or part that owns the tasks, as named in the log and in readiness."""
        self._owner = owner
        self._stop_seconds = stop_seconds
        self._backoff = backoff
        self._tasks: dict[str, _SupervisedTask] = {}

    @property
    def running(self) -> dict[str, asyncio.Task[Any]]:
        """Return the tasks that run now, by name."""
        return {
            name: task.current
            for name, task in self._tasks.items()
            if task.current is not None and not task.current.done()
        }

    def start(self, name: str, run: BackgroundTask, *, until_done: bool = False) -> None:
        """Run a task until it is stopped.

        Args:
            name: the task's name, unique within its owner.
            run: makes the task's coroutine.
            until_done: whether the task has finished once it returns; else it is started again.

        Raises:
            ValueError: a task of that name is running already.
        """
        known = self._tasks.get(name)
        if known is not None and not known.is_done_with:
            raise ValueError(f"{self._owner} has a task named {name!r} already")
        if known is not None and known.keeper is not None:
            known.keeper.cancel()
        task = self._tasks[name] = _SupervisedTask(run, until_done)
        # Started here and not by the keeper, so that the task runs even if it is stopped at once.
        self._begin(name, task)
        task.keeper = asyncio.create_task(self._keep_running(name, task))

    async def stop(self, *names: str) -> None:
        """Cancel the tasks of these names, or all of them, and wait for their ends in bounded time."""
        stopped = [self._tasks.pop(name) for name in names or [*self._tasks] if name in self._tasks]
        ending = [task.keeper for task in stopped if task.keeper is not None]
        ending += [task.current for task in stopped if task.current is not None]
        for task in ending:
            task.cancel()
        if not ending:
            return
        ended, late = await asyncio.wait(ending, timeout=self._stop_seconds)
        # Reads the outcomes, which asyncio would otherwise complain of.
        await asyncio.gather(*ended, return_exceptions=True)
        for task in late:
            _log.error("a background task does not end", task=task.get_name(), **_place_of(task))

    async def check(self) -> None:
        """Check that every task runs.

        Raises:
            TransientError: some tasks ended and wait to be started again; the message names them.
        """
        ended = [name for name, task in self._tasks.items() if task.current is None]
        if ended:
            names = ", ".join(sorted(ended))
            raise TransientError(f"background tasks of {self._owner} ended: {names}")

    def _begin(self, name: str, task: _SupervisedTask) -> asyncio.Task[Any]:
        task.current = asyncio.create_task(task.run(), name=f"{self._owner}: {name}")
        return task.current

    async def _keep_running(self, name: str, task: _SupervisedTask) -> None:
        while True:
            started = time.monotonic()
            ended = await self._ended(task.current or self._begin(name, task))
            task.current = None
            if ended is None and task.until_done:
                del self._tasks[name]
                return
            steady = time.monotonic() - started >= STEADY_SECONDS
            task.failures = 1 if steady else task.failures + 1
            pause = self._backoff.delay(task.failures)
            _log.error(
                "a background task ended and is started again",
                owner=self._owner,
                task=name,
                again_in_seconds=pause,
                **describe_failure(ended or RuntimeError("the task returned")),
            )
            await asyncio.sleep(pause)

    async def _ended(self, running: asyncio.Task[Any]) -> BaseException | None:
        await asyncio.wait([running])
        try:
            running.result()
        except asyncio.CancelledError as error:
            return error
        except Exception as error:  # noqa: BLE001 - logged by the caller, whatever it is
            return error
        return None
