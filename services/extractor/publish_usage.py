"""Publishes the usage of models for billing services: with a delay, and once for each call id."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import structlog

from palimpsest.events.announcements import UsageRecorded
from palimpsest.events.topics import USAGE
from palimpsest.model.clock import Clock
from palimpsest.model.usage import ModelCall
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.models.call_accounting import CallAccounting
from palimpsest_server.stores.usage import UsageStore
from palimpsest_server.stores.user_states import UserStates
from services.extractor.metrics import ExtractorMetrics

CALLS_PER_BATCH = 256

BATCH_WAIT_SECONDS = 0.5
"""Seconds that a look waits for further calls to end, so that they are announced together."""

INTERVAL = timedelta(seconds=30)
"""Time between looks for calls that ended in another process, or whose process died."""

_log = structlog.get_logger("palimpsest.extractor")


class UsagePublisher:
    def __init__(
        self,
        calls: UsageStore,
        accounting: CallAccounting,
        *,
        publisher: Publisher,
        states: UserStates,
        metrics: ExtractorMetrics,
        clock: Clock,
        lost_after: timedelta,
        wait_seconds: float = BATCH_WAIT_SECONDS,
    ) -> None:
        """Wire a publisher.

        Args:
            calls: the store of calls.
            accounting: stores calls, and tells when one has ended.
            publisher: the way to Kafka.
            states: the users' states.
            metrics: the extractor's metrics.
            clock: tells the time.
            lost_after: a call under way for longer belongs to a process that died.
            wait_seconds: how long a look waits for more calls to end.
        """
        self._wait_seconds = wait_seconds
        self._calls = calls
        self._accounting = accounting
        self._publisher = publisher
        self._states = states
        self._metrics = metrics
        self._clock = clock
        self._lost_after = lost_after
        self._wake = asyncio.Event()
        accounting.on_ended(self._wake.set)

    async def watch(self) -> None:
        """Announce ended calls, until cancelled."""
        await run_periodically(
            self._look_together,
            every=INTERVAL,
            log=_log,
            failure="what models took is not announced",
            wake=self._wake,
        )

    async def _look_together(self) -> None:
        await asyncio.sleep(self._wait_seconds)
        self._wake.clear()
        await self.look()

    async def look(self) -> None:
        """Store late records, end lost calls, and announce every call that has ended."""
        await self._accounting.catch_up()
        await self._calls.end_lost(begun_before=self._clock() - self._lost_after)
        while calls := await self._calls.unannounced(limit=CALLS_PER_BATCH):
            standing = await self._standing(calls)
            await self._publisher.publish(USAGE, [build_usage_recorded(call) for call in standing])
            await self._calls.mark_announced([call.id for call in calls])
            self._metrics.usage.inc(len(standing))

    async def _standing(self, calls: Sequence[ModelCall]) -> list[ModelCall]:
        """Return calls whose user may be named; the user id is removed from the others."""
        states = await self._states.of({call.user_id for call in calls if call.user_id})
        erased = {
            call.user_id: states[call.user_id].epoch
            for call in calls
            if call.user_id and call.epoch < states[call.user_id].epoch
        }
        for user_id, epoch in erased.items():
            await self._calls.make_nameless(user_id, before_epoch=epoch)
        return [call for call in calls if call.user_id and call.epoch >= states[call.user_id].epoch]


def build_usage_recorded(call: ModelCall) -> UsageRecorded:
    """Build the event of a call.

    Raises:
        ValueError: the call has no user.
    """
    if call.user_id is None:
        raise ValueError("a call that is nobody's is not announced")
    return UsageRecorded(
        event_id=call.id,
        occurred_at=call.begun_at,
        received_at=call.begun_at,
        epoch=call.epoch,
        user_id=call.user_id,
        agent_id=call.agent_id,
        request_id=call.request_id,
        task=call.task,
        model=call.model,
        input_tokens=call.input_tokens,
        cached_input_tokens=call.cached_input_tokens,
        output_tokens=call.output_tokens,
        cost_millionths=call.cost_millionths,
        failed=call.failure is not None,
        failure=call.failure,
        estimated=call.estimated,
    )
