"""An event loop on a thread of its own, so that blocking code can use asynchronous clients."""

import asyncio
from collections.abc import Coroutine
from functools import cache
from threading import Thread
from typing import TypeVar

ResultT = TypeVar("ResultT")


@cache
def _start_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="palimpsest", daemon=True).start()
    return loop


def run_blocking(work: Coroutine[object, object, ResultT]) -> ResultT:
    """Run `work` on the loop that all blocking callers share, and return its result."""
    return asyncio.run_coroutine_threadsafe(work, _start_loop()).result()
