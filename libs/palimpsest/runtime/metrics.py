"""Metrics of a process: the registry, the conventions, and how late the event loop is.

Names are `palimpsest_<stage>_<what>_<unit>`, counters end in `_total`, times
are seconds. Labels say stage, topic, reason, outcome, provider: things there
are few of. Users, sessions, agents and texts are never labels. What all
stages share (rates, failures by reason, durations, lag, oldest pending,
freshness) is in `palimpsest.delivery.metrics`, under `palimpsest_stage_`.
"""

import asyncio

from prometheus_client import (
    CollectorRegistry,
    Gauge,
    PlatformCollector,
    ProcessCollector,
)

from palimpsest.delivery.metrics import DURATION_BUCKETS_SECONDS, FRESHNESS_BUCKETS_SECONDS

__all__ = [
    "DURATION_BUCKETS_SECONDS",
    "FRESHNESS_BUCKETS_SECONDS",
    "EventLoopDelay",
    "process_registry",
]

PROBE_SECONDS = 0.25


def process_registry() -> CollectorRegistry:
    """A registry of its own for each process, with its processor time, memory and versions."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    return registry


class EventLoopDelay:
    """How much later than asked a sleeping task wakes: what blocked the loop meanwhile.

    The gauge holds the worst of the time since it was last read.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self._worst = 0.0
        gauge = Gauge(
            "palimpsest_process_event_loop_delay_seconds",
            "The longest the event loop was blocked since the last scrape",
            registry=registry,
        )
        gauge.set_function(self._read)

    async def watch(self) -> None:
        """Probe until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + PROBE_SECONDS
            await asyncio.sleep(PROBE_SECONDS)
            self._worst = max(self._worst, loop.time() - due)

    def _read(self) -> float:
        worst, self._worst = self._worst, 0.0
        return worst
