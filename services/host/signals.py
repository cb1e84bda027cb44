"""Ctrl-C and its relatives: the first asks to stop, the second does not ask."""

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import Any

import uvloop

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
IMPATIENT_EXIT_CODE = 130


def run_until_signalled(work: Coroutine[Any, Any, None]) -> None:
    """Run this on a loop of its own. The first signal cancels it, so that it closes what it opened.

    The second ends the process at once; child processes go with it.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_cancelled_by_signals(work))


async def _cancelled_by_signals(work: Coroutine[Any, Any, None]) -> None:
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    asked = False

    def stop() -> None:
        nonlocal asked
        if asked:
            os._exit(IMPATIENT_EXIT_CODE)
        asked = True
        task.cancel()

    for each in _SIGNALS:
        loop.add_signal_handler(each, stop)
    try:
        await task
    except asyncio.CancelledError:
        if not asked:
            raise
