"""Publish model usage for services that charge for it: later, and once by its id."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

import structlog

from palimpsest.events.announcements import UsageRecorded
from palimpsest.events.topics import USAGE
from palimpsest.model.clock import Clock
from palimpsest.model.usage import ModelCall
from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.models.call_accounting import CallAccounting
from palimpsest_server.stores.usage import UsageStore
from palimpsest_server.stores.user_states import UserStates
from services.extractor.metrics import ExtractorMetrics

CALLS_PER_BATCH = 256

BATCH_WAIT_SECONDS = 0.5
"""Nobody is in a hurry: what ends meanwhile is announced together."""

INTERVAL_SECONDS = 30.0
"""For what ended elsewhere or not at all: calls of a process that is gone."""

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
    ) -> None:
        """`lost_after`: no call of a process that lives is under way for so long."""
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
        """Announce again and again, until cancelled."""
        while True:
            self._wake.clear()
            try:
                await self.look()
            except Exception as error:  # noqa: BLE001 - the next look may go better
                _log.warning("what models took is not announced", error=describe_error(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(INTERVAL_SECONDS):
                    await self._wake.wait()
            await asyncio.sleep(BATCH_WAIT_SECONDS)

    async def look(self) -> None:
        """Write down what is late or lost, and announce all that has ended."""
        await self._accounting.catch_up()
        await self._calls.end_lost(begun_before=self._clock() - self._lost_after)
        while calls := await self._calls.unannounced(limit=CALLS_PER_BATCH):
            standing = await self._standing(calls)
            await self._publisher.publish(USAGE, [build_usage_recorded(call) for call in standing])
            await self._calls.mark_announced([call.id for call in calls])
            self._metrics.usage.inc(len(standing))

    async def _standing(self, calls: Sequence[ModelCall]) -> list[ModelCall]:
        """Return calls whose user may still be named; the others become nobody's."""
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
    """Raises ValueError for a call that is nobody's."""
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
