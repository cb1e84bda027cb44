"""How much waits and since when, looked up now and then for the metrics."""

import asyncio

import structlog

from palimpsest.delivery.failures import words_of
from palimpsest.domain.clock import Clock
from palimpsest.stores.ledger import Ledger
from services.extractor.metrics import ExtractorMetrics

INTERVAL_SECONDS = 5.0

_log = structlog.get_logger("palimpsest.extractor")


class BacklogWatch:
    def __init__(self, ledger: Ledger, *, metrics: ExtractorMetrics, clock: Clock) -> None:
        self._ledger = ledger
        self._metrics = metrics
        self._clock = clock

    async def run(self) -> None:
        """Look every few seconds until cancelled."""
        while True:
            try:
                self._metrics.backlog(await self._ledger.backlog(), self._clock())
            except Exception as error:  # noqa: BLE001 - the next look may go better
                _log.debug("the backlog is not known", error=words_of(error))
            await asyncio.sleep(INTERVAL_SECONDS)
