"""Measures the delay of the event loop: nothing may block it for more than 50 ms."""

import asyncio

from prometheus_client import CollectorRegistry, Histogram

_INTERVAL_SECONDS = 0.025
"""Seconds between measurements: short enough that no block of 50 ms goes unseen."""

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class LoopDelayWatch:
    """Sleeps, and measures by how much it overslept."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._delay = Histogram(
            "palimpsest_host_loop_delay_seconds",
            "By how much a task was woken later than it had asked for",
            buckets=_BUCKETS,
            registry=registry,
        )

    async def watch(self) -> None:
        """Measure until cancelled; run it as a task."""
        clock = asyncio.get_running_loop().time
        while True:
            before = clock()
            await asyncio.sleep(_INTERVAL_SECONDS)
            self._delay.observe(max(0.0, clock() - before - _INTERVAL_SECONDS))
