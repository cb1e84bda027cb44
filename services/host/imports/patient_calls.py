"""Calls of an import, each made again while the services do not answer."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from palimpsest.client import Unavailable
from palimpsest.model.errors import TransientError

AnswerT = TypeVar("AnswerT")

TRIES = 5
"""With the 30 s of each try, an import waits for the services for two and a half minutes."""


async def call_patiently(call: Callable[[], Awaitable[AnswerT]], *, what: str) -> AnswerT:
    """Return the answer to a call that may be made twice.

    Args:
        call: makes the call once.
        what: what the services are to take, in words for people.

    Raises:
        TransientError: the services did not answer any of the tries.
    """
    failed: Unavailable | None = None
    for _ in range(TRIES):
        if failed is not None and failed.retry_after_seconds is not None:
            await asyncio.sleep(failed.retry_after_seconds)
        try:
            return await call()
        except Unavailable as error:
            failed = error
    raise TransientError(
        f"the services did not take {what} in {TRIES} tries: {failed}. What they took by then"
        " stays. Import the file again for the rest; nothing happens twice"
    ) from failed
