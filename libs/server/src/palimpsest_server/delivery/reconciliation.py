"""Loop of a reconciler: checks pending items at intervals, until it is cancelled.

Every service that publishes has a reconciler. An item without its effect for longer than a grace is
published again, confirmed, or dropped.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import NoReturn

from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.error_classification import describe_error, describe_failure
from palimpsest_server.delivery.periodic import FailureLog, run_periodically

LATE_WRITES = timedelta(seconds=10)
"""Longest delay until the database has carried out the last requests of a process that ended."""

AFTER_FAILURE = timedelta(seconds=2)

LookOver = Callable[[datetime | None], Awaitable[object]]


@dataclass(frozen=True, kw_only=True)
class ReconcilerTimes:
    """Times of a reconciler."""

    interval: timedelta
    """Time between the end of a look and the next look."""
    grace: timedelta
    """Time for which an item may be without its effect before it is published again."""
    late_writes: timedelta = LATE_WRITES
    """Time after the look for records lost by Kafka, until all items stored before the loss are visible."""
    after_failure: timedelta = AFTER_FAILURE
    """Time after a failed look, if shorter than the interval."""


class PeriodicReconciliation:
    """Looks at intervals, and reports if records lost by Kafka could not be published again."""

    def __init__(
        self, look: LookOver, times: ReconcilerTimes, *, log: FailureLog, failure: str
    ) -> None:
        """Make a loop.

        Args:
            look: takes one look. It is given the moment before which Kafka lost everything until
                that is made up for, and None afterwards.
            times: the times of the reconciler.
            log: where a failed look is logged.
            failure: the log message of a failed look.
        """
        self._look = look
        self._times = times
        self._log = log
        self._failure = failure
        self._problem: str | None = None

    async def run(self, *, lost_before: datetime | None) -> NoReturn:
        """Look at intervals, until cancelled.

        Args:
            lost_before: the moment before which Kafka lost everything; None if it keeps its log.
        """
        if lost_before is not None:
            await self._make_up_for(lost_before)
            await asyncio.sleep(self._times.late_writes.total_seconds())
            # Writes that the database had still to carry out at the first look were invisible to it.
            await self._make_up_for(lost_before)
        await run_periodically(
            partial(self._look, None),
            every=self._times.interval,
            log=self._log,
            failure=self._failure,
            after_failure=self._times.after_failure,
        )

    async def check(self) -> None:
        """Check that records lost by Kafka could be published again.

        Raises:
            TransientError: they could not yet, and why; the next attempt follows.
        """
        if self._problem is not None:
            raise TransientError(f"{self._failure}: {self._problem}")

    async def _make_up_for(self, lost_before: datetime) -> None:
        """Return once a look for items from before this moment has succeeded."""
        while True:
            try:
                await self._look(lost_before)
            except Exception as error:  # noqa: BLE001 - the next look may go better
                self._log.warning(self._failure, **describe_failure(error))
                self._problem = describe_error(error)
                await asyncio.sleep(self._times.after_failure.total_seconds())
            else:
                self._problem = None
                return
