"""How much waits and since when, looked up now and then for the metrics."""

from datetime import timedelta

import structlog

from palimpsest.delivery.looking import look_again_and_again
from palimpsest.domain.clock import Clock
from palimpsest.stores.ledger import Ledger
from services.extractor.metrics import ExtractorMetrics

INTERVAL = timedelta(seconds=5)

_log = structlog.get_logger("palimpsest.extractor")


class BacklogWatch:
    def __init__(self, ledger: Ledger, *, metrics: ExtractorMetrics, clock: Clock) -> None:
        self._ledger = ledger
        self._metrics = metrics
        self._clock = clock

    async def run(self) -> None:
        """Look every few seconds until cancelled."""
        await look_again_and_again(
            self._look,
            every=INTERVAL,
            failed=lambda words: _log.debug("the backlog is not known", error=words),
        )

    async def _look(self) -> None:
        self._metrics.backlog(await self._ledger.backlog(), self._clock())
