"""Run a function periodically, beside the handling of incoming records."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import NoReturn, Protocol

from palimpsest_server.delivery.error_classification import describe_failure


class FailureLog(Protocol):
    """A structlog logger."""

    def warning(self, event: str, /, **fields: object) -> object: ...


async def run_periodically(
    look: Callable[[], Awaitable[object]],
    *,
    every: timedelta,
    log: FailureLog,
    failure: str,
    at_once: bool = True,
    after_failure: timedelta | None = None,
    wake: asyncio.Event | None = None,
) -> NoReturn:
    """Call `look` again and again, with an interval, until cancelled.

    Args:
        look: takes one look. An error that it raises is logged and ends that look only.
        every: the time between the end of a look and the next one.
        log: where a failed look is logged.
        failure: the log message of a failed look.
        at_once: whether the first look is taken now; else after one interval.
        after_failure: the time after a failed look, if shorter than `every`.
        wake: ends the wait for the next look when it is set.
    """
    if not at_once:
        await asyncio.sleep(every.total_seconds())
    while True:
        pause = every
        if wake is not None:
            wake.clear()
        try:
            await look()
        except Exception as error:  # noqa: BLE001 - the next look may go better
            log.warning(failure, **describe_failure(error))
            pause = every if after_failure is None else min(every, after_failure)
        await _wait(pause, wake)


async def _wait(pause: timedelta, wake: asyncio.Event | None) -> None:
    if wake is None:
        await asyncio.sleep(pause.total_seconds())
        return
    with suppress(TimeoutError):
        # Not wait_for: in Python 3.11 it loses a cancellation that coincides with the wake.
        async with asyncio.timeout(pause.total_seconds()):
            await wake.wait()
