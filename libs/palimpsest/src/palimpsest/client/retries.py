"""Retry a call while it may help: growing waits with jitter, never past the time allowed.

Every call is safe to repeat: ids of events are set before the first attempt, and commands carry
an idempotency key.
"""

import asyncio
from collections.abc import Awaitable, Callable
from random import uniform
from typing import TypeVar

from palimpsest.client.errors import Unavailable, build_timeout_error

AnswerT = TypeVar("AnswerT")

FIRST_WAIT_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 2.0


async def retry_while_unavailable(
    attempt: Callable[[], Awaitable[AnswerT]], *, whom: str, within_seconds: float
) -> AnswerT:
    """Return the answer of the first attempt that is not `Unavailable`; `whom` is asked, in words.

    Raises:
        TimedOut: an attempt was still waiting when the time was over; it says why the one before
            had failed.
        Unavailable: the last attempt's, where another wait would have been too long.
    """
    failed: Unavailable | None = None
    ends = asyncio.get_running_loop().time() + within_seconds
    longest = FIRST_WAIT_SECONDS
    try:
        async with asyncio.timeout_at(ends):
            while True:
                try:
                    return await attempt()
                except Unavailable as error:
                    failed = error
                wait = max(uniform(0, longest), failed.retry_after_seconds or 0.0)  # noqa: S311 - jitter
                if asyncio.get_running_loop().time() + wait >= ends:
                    raise failed
                await asyncio.sleep(wait)
                longest = min(2 * longest, LONGEST_WAIT_SECONDS)
    except TimeoutError:
        raise build_timeout_error(within_seconds, whom, before=failed) from failed
