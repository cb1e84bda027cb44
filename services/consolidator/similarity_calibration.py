"""Measures the merge threshold of an unknown embedding model in the background."""

from datetime import timedelta

import structlog

from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.embedders.merge_threshold import MergeThreshold

TIME_BETWEEN_LOOKS = timedelta(hours=1)
TIME_AFTER_FAILURE = timedelta(seconds=30)

_log = structlog.get_logger("palimpsest.consolidator")


async def watch_merge_threshold(threshold: MergeThreshold) -> None:
    """Measure the threshold as soon as the embedding model answers, until cancelled."""
    await run_periodically(
        threshold.measure,
        every=TIME_BETWEEN_LOOKS,
        after_failure=TIME_AFTER_FAILURE,
        log=_log,
        failure="memories are not compared until the embedding model has been calibrated",
    )
