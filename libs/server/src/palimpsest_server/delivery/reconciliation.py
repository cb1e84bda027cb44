"""Loop of a reconciler: looks over what is pending, now and then, until it is cancelled.

Every service that publishes has one. What it stored and what had no effect for longer than a grace is
published again, confirmed, or dropped.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NoReturn

from palimpsest_server.delivery.periodic import FailureLog, run_periodically


@dataclass(frozen=True, kw_only=True)
class ReconcilerTimes:
    """Times of a reconciler."""

    interval: timedelta
    """Between the end of a look and the next look."""
    grace: timedelta
    """How long anything may be without its effect before it is published again."""


async def reconcile_periodically(
    look: Callable[[datetime | None], Awaitable[object]],
    times: ReconcilerTimes,
    *,
    lost_before: datetime | None,
    log: FailureLog,
    failure: str,
    after_failure: timedelta | None = None,
) -> NoReturn:
    """Look again and again, until cancelled.

    Args:
        look: takes one look. It is given `lost_before` until a look has succeeded, and None afterwards.
        times: the times of the reconciler.
        lost_before: the moment before which Kafka lost everything; None where it keeps its log.
        log: where a failed look is logged.
        failure: what a failed look means, as the line of the log.
        after_failure: the time after a failed look, where it is shorter than the interval.
    """

    async def look_once() -> None:
        nonlocal lost_before
        await look(lost_before)
        lost_before = None

    await run_periodically(
        look_once, every=times.interval, log=log, failure=failure, after_failure=after_failure
    )
