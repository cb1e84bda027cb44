"""Loop of a reconciler: looks over what is pending, now and then, until it is cancelled.

Every service has one. What it stored and what had no effect for longer than a grace is published
again, confirmed, or dropped.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NoReturn


@dataclass(frozen=True, kw_only=True)
class ReconcilerTimes:
    """Times of a reconciler."""

    interval: timedelta
    """Between the end of a look and the next look."""
    grace: timedelta
    """How long anything may be without its effect before it is published again."""
    retry_interval: timedelta | None = None
    """Between a look that failed and the next look; None for `interval`."""


async def reconcile_periodically(
    look: Callable[[datetime | None], Awaitable[object]],
    times: ReconcilerTimes,
    *,
    lost_before: datetime | None,
    log_failure: Callable[[Exception], object],
) -> NoReturn:
    """Look again and again, until cancelled.

    Args:
        look: takes one look. It is given a moment before which Kafka lost everything, as long as no
            look has succeeded since then, and None afterwards.
        times: the times of the reconciler.
        lost_before: that moment; None where Kafka keeps its log.
        log_failure: called with what a look raised; the next look may succeed.
    """
    while True:
        pause = times.interval
        try:
            await look(lost_before)
        except Exception as error:  # noqa: BLE001 - the next look may succeed
            log_failure(error)
            pause = min(times.retry_interval or pause, pause)
        else:
            lost_before = None
        await asyncio.sleep(pause.total_seconds())
