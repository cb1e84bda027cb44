"""Requests come in: written down as pending, and nothing else, so that Kafka can be told."""

import asyncio
from collections.abc import Sequence

from palimpsest.contracts.envelope import Event
from palimpsest.contracts.questions import ExtractionRequested, Question
from palimpsest.delivery.stage import Rejection
from palimpsest.domain.clock import Clock
from palimpsest.stores.ledger import Ledger
from palimpsest.stores.users import UserStates
from services.extractor.erased import OLDER_EPOCH, apart
from services.extractor.metrics import ExtractorMetrics
from services.extractor.summing_up import SummingUp


class Intake:
    def __init__(
        self,
        ledger: Ledger,
        *,
        states: UserStates,
        wake: asyncio.Event,
        metrics: ExtractorMetrics,
        clock: Clock,
        summing_up: SummingUp,
    ) -> None:
        self._summing_up = summing_up
        self._ledger = ledger
        self._states = states
        self._wake = wake
        self._metrics = metrics
        self._clock = clock

    async def handle(self, events: Sequence[Event]) -> Sequence[Rejection]:
        requests = [event for event in events if isinstance(event, Question)]
        standing, erased = await apart(requests, self._states)
        now = self._clock()
        # Erased ones become known as well, or whoever sent them would send them again.
        await self._ledger.drop(
            [(request.request_id, request.user_id) for request in erased],
            reason=OLDER_EPOCH,
            now=now,
        )
        self._metrics.dropped.labels(OLDER_EPOCH).inc(len(erased))
        written = await self._ledger.write_down(standing, now=now)
        self._metrics.written.inc(written)
        if written:
            self._wake.set()
        await self._summing_up.note(
            [request for request in standing if isinstance(request, ExtractionRequested)]
        )
        return []
