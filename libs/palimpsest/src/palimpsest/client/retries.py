"""Retries a call while that may help: growing waits with jitter, within the allowed time.

Every call is safe to repeat: event ids are set before the first attempt, and commands carry an
idempotency key.
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
    """Return the first answer that is not `Unavailable`; `whom` names the server in errors.

    Raises:
        TimedOut: an attempt was still waiting when the time was over; the message says why the
            attempt
            before it failed.
        Unavailable: the last attempt's error, if another wait would take too long.
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
