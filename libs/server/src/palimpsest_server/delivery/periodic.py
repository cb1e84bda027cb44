"""Looking again and again for what there is to do, beside what comes in."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import NoReturn

from palimpsest_server.delivery.error_classification import describe_error


async def run_periodically(
    look: Callable[[], Awaitable[object]],
    *,
    every: timedelta,
    failed: Callable[[str], object],
    at_once: bool = True,
) -> NoReturn:
    """Look, and look again after an interval, until cancelled.

    Args:
        look: takes one look. What it raises ends that look only.
        every: the time between the end of a look and the next one.
        failed: told what a look failed of, in words that may be logged.
        at_once: whether the first look is taken now; else after one interval.
    """
    if not at_once:
        await asyncio.sleep(every.total_seconds())
    while True:
        try:
            await look()
        except Exception as error:  # noqa: BLE001 - the next look may go better
            failed(describe_error(error))
        await asyncio.sleep(every.total_seconds())
