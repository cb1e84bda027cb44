"""Trying again while it may help: growing waits with jitter, never past the time allowed.

Every call is safe to repeat: ids of events are set before the first attempt,
and commands carry an idempotency key.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_before_delay,
    wait_random_exponential,
)

from palimpsest.client.errors import Unavailable, timed_out

Answer = TypeVar("Answer")

_backoff = wait_random_exponential(multiplier=0.1, max=2.0)


async def retrying(
    attempt: Callable[[], Awaitable[Answer]], *, whom: str, within_seconds: float
) -> Answer:
    """The answer of the first attempt that is not `Unavailable`; `whom` is asked, in words.

    Raises:
        TimedOut: an attempt was still waiting when the time was over; it says why the one before
            had failed.
        Unavailable: the last attempt's, where another wait would have been too long.
    """
    attempts = AsyncRetrying(
        retry=retry_if_exception_type(Unavailable),
        wait=_wait,
        stop=stop_before_delay(within_seconds),
        reraise=True,
    )
    failed: Unavailable | None = None

    async def noted() -> Answer:
        nonlocal failed
        try:
            return await attempt()
        except Unavailable as error:
            failed = error
            raise

    try:
        async with asyncio.timeout(within_seconds):
            return await attempts(noted)
    except TimeoutError:
        raise timed_out(within_seconds, whom, before=failed) from failed


def _wait(state: RetryCallState) -> float:
    """The back-off, or what the server asked for where that is longer."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after_seconds if isinstance(error, Unavailable) else None
    return max(_backoff(state), asked or 0.0)
