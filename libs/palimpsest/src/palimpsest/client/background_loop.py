"""An event loop on a thread of its own, so that blocking code can use asynchronous clients."""

import asyncio
import os
from collections.abc import Coroutine
from functools import cache
from threading import Thread
from typing import TypeVar

ResultT = TypeVar("ResultT")


@cache
def _start_loop(process_id: int) -> asyncio.AbstractEventLoop:
    """Start the loop of this process: a thread does not outlive a fork."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name=f"palimpsest {process_id}", daemon=True).start()
    return loop


def run_blocking(work: Coroutine[object, object, ResultT]) -> ResultT:
    """Run `work` on the loop that all blocking callers share, and return its result.

    Where the wait for it is interrupted, as by Ctrl-C, the work ends as well.
    """
    running = asyncio.run_coroutine_threadsafe(work, _start_loop(os.getpid()))
    try:
        return running.result()
    except BaseException:
        running.cancel()
        raise
