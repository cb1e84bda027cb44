"""Handlers of requests: each is stored as pending, and nothing else, so that Kafka can be committed."""

import asyncio
from collections.abc import Sequence

from palimpsest.events.envelope import Event
from palimpsest.events.extractor_requests import ExtractionRequested, ExtractorRequest
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.ledger import Ledger
from palimpsest_server.stores.user_states import UserStates
from services.extractor.epoch_filter import OLDER_EPOCH_REASON, split_by_epoch
from services.extractor.metrics import ExtractorMetrics
from services.extractor.summary_schedule import SummaryScheduler


class ModelRequestHandler:
    def __init__(
        self,
        ledger: Ledger,
        *,
        states: UserStates,
        wake: asyncio.Event,
        metrics: ExtractorMetrics,
        clock: Clock,
        summing_up: SummaryScheduler,
    ) -> None:
        self._summing_up = summing_up
        self._ledger = ledger
        self._states = states
        self._wake = wake
        self._metrics = metrics
        self._clock = clock

    async def handle(self, events: Sequence[Event]) -> Sequence[EventRejection]:
        requests = [event for event in events if isinstance(event, ExtractorRequest)]
        standing, erased = await split_by_epoch(requests, self._states)
        now = self._clock()
        # Erased requests are noted as known too, or their senders would send them again.
        await self._ledger.drop(
            [(request.request_id, request.user_id) for request in erased],
            reason=OLDER_EPOCH_REASON,
            now=now,
        )
        self._metrics.dropped.labels(OLDER_EPOCH_REASON).inc(len(erased))
        written = await self._ledger.write_down(standing, now=now)
        self._metrics.written.inc(written)
        if written:
            self._wake.set()
        await self._summing_up.note(
            [request for request in standing if isinstance(request, ExtractionRequested)]
        )
        return []
