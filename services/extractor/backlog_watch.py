"""Measures the backlog: how many requests wait, and since when."""

from datetime import timedelta

import structlog

from palimpsest.model.clock import Clock
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.stores.ledger import Ledger
from services.extractor.metrics import ExtractorMetrics

BACKLOG_INTERVAL = timedelta(seconds=5)

_log = structlog.get_logger("palimpsest.extractor")


class BacklogWatch:
    def __init__(self, ledger: Ledger, *, metrics: ExtractorMetrics, clock: Clock) -> None:
        self._ledger = ledger
        self._metrics = metrics
        self._clock = clock

    async def run(self) -> None:
        """Measure the backlog every few seconds, until cancelled."""
        await run_periodically(
            self._look,
            every=BACKLOG_INTERVAL,
            log=_log,
            failure="the backlog is not known",
        )

    async def _look(self) -> None:
        self._metrics.backlog(await self._ledger.backlog(), self._clock())
