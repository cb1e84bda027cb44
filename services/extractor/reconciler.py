"""What stopped on its way is moved on: leases without holder, answers unsent or without effect."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

import structlog

from palimpsest.delivery.failures import words_of
from palimpsest.domain.change_set import change_set_id
from palimpsest.domain.clock import Clock
from palimpsest.stores.ledger import AnsweredRequest, Ledger, RequestState
from services.extractor.metrics import ExtractorMetrics
from services.extractor.proposals import Proposals

UNPUBLISHED_GRACE = timedelta(seconds=10)
"""An answer is published right after it was stored: whoever did that is gone by then."""

REQUESTS_AT_ONCE = 5_000
"""Without content; those longest in their state come first, and move back when sent again."""

ANSWERS_AT_ONCE = 100

AFTER_FAILURE_SECONDS = 2.0

Decided = Callable[[Sequence[str]], Awaitable[set[str]]]
"""Tells which of these change sets were decided."""

_log = structlog.get_logger("palimpsest.extractor")


class Reconciler:
    def __init__(
        self,
        ledger: Ledger,
        *,
        decided: Decided,
        proposals: Proposals,
        wake: asyncio.Event,
        metrics: ExtractorMetrics,
        clock: Clock,
        grace: timedelta,
        interval: timedelta,
    ) -> None:
        self._ledger = ledger
        self._decided = decided
        self._proposals = proposals
        self._wake = wake
        self._metrics = metrics
        self._clock = clock
        self._grace = grace
        self._interval = interval

    async def watch(self, *, lost_before: datetime | None) -> None:
        """Look again and again, until cancelled.

        Args:
            lost_before: set where Kafka's log and every other holder of a lease
                ended with the process before this one: whatever is older is
                moved on at once.
        """
        while True:
            try:
                await self.look(lost_before=lost_before)
            except Exception as error:  # noqa: BLE001 - the next look may go better
                _log.warning("the ledger could not be reconciled", error=words_of(error))
                await asyncio.sleep(min(AFTER_FAILURE_SECONDS, self._interval.total_seconds()))
            else:
                lost_before = None
                await asyncio.sleep(self._interval.total_seconds())

    async def look(self, *, lost_before: datetime | None = None) -> None:
        """Once over the whole ledger."""
        await self._release(lost_before)
        await self._send_unpublished(lost_before)
        await self._confirm_published(lost_before)

    async def _release(self, lost_before: datetime | None) -> None:
        released = await self._ledger.release(now=self._clock(), leased_before=lost_before)
        if released:
            self._metrics.reconciled.labels("released").inc(released)
            self._wake.set()

    async def _send_unpublished(self, lost_before: datetime | None) -> None:
        before = lost_before or self._clock() - UNPUBLISHED_GRACE
        answered = await self._ledger.underway(RequestState.ANSWERED, limit=REQUESTS_AT_ONCE)
        await self._send([each for each in answered if each.since <= before], "published")

    async def _confirm_published(self, lost_before: datetime | None) -> None:
        before = lost_before or self._clock() - self._grace
        published = await self._ledger.underway(RequestState.PUBLISHED, limit=REQUESTS_AT_ONCE)
        if not published:
            return
        effects = {
            each.request_id: change_set_id(each.user_id, each.event_id) for each in published
        }
        decided = await self._decided(list(effects.values()))
        done = [each.request_id for each in published if effects[each.request_id] in decided]
        await self._ledger.confirm(done, now=self._clock())
        self._metrics.reconciled.labels("confirmed").inc(len(done))
        without_effect = [
            each
            for each in published
            if effects[each.request_id] not in decided and each.since <= before
        ]
        await self._send(without_effect, "published_again")

    async def _send(self, requests: Sequence[AnsweredRequest], outcome: str) -> None:
        for start in range(0, len(requests), ANSWERS_AT_ONCE):
            page = [each.request_id for each in requests[start : start + ANSWERS_AT_ONCE]]
            await self._proposals.send(await self._ledger.answers(page))
            self._metrics.reconciled.labels(outcome).inc(len(page))
