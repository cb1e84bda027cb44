"""Handles Ctrl-C and similar signals: the first asks to stop, the second stops at once."""

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import Any

import uvloop

from services.host.interpreter import shorten_thread_switches

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_ECHO_SECONDS = 0.5
"""Seconds within which a repeated signal is ignored: a wrapper may deliver one signal twice, and
nobody presses so fast.
"""

IMPATIENT_EXIT_CODE = 130


def run_until_signalled(work: Coroutine[Any, Any, None]) -> None:
    """Run this on a loop of its own. The first signal cancels it, so that it closes what it opened.

    The second signal ends the process at once, with its child processes.
    """
    shorten_thread_switches()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_cancelled_by_signals(work))


async def _cancelled_by_signals(work: Coroutine[Any, Any, None]) -> None:
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    asked_at: float | None = None

    def stop() -> None:
        nonlocal asked_at
        if asked_at is None:
            asked_at = loop.time()
            task.cancel()
        elif loop.time() - asked_at > _ECHO_SECONDS:
            os._exit(IMPATIENT_EXIT_CODE)

    for each in _SIGNALS:
        loop.add_signal_handler(each, stop)
    try:
        await task
    except asyncio.CancelledError:
        if asked_at is None:
            raise
