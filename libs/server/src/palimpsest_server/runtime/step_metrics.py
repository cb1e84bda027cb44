"""Conventions of metrics: names, labels and buckets.

Names are `palimpsest_<stage>_<what>_<unit>`, counters end in `_total`, times are seconds. Labels are
stage, topic, reason, outcome and provider, which have few values. Users, sessions, agents and texts
are never labels. Metrics that all stages share (rates, failures by reason, durations, lag, oldest
pending, freshness) are in `palimpsest_server.delivery.stage_metrics`, under `palimpsest_stage_`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Histogram

from palimpsest_server.delivery.stage_metrics import (
    DURATION_BUCKETS_SECONDS,
    FRESHNESS_BUCKETS_SECONDS,
)
from palimpsest_server.delivery.tracing import get_active_tracing

__all__ = ["DURATION_BUCKETS_SECONDS", "FRESHNESS_BUCKETS_SECONDS", "StepDurations"]


class StepDurations:
    """Histograms of the steps of a stage, as `palimpsest_<stage>_step_duration_seconds`."""

    def __init__(
        self,
        registry: CollectorRegistry,
        stage: str,
        words: str,
        *,
        buckets: Sequence[float] = DURATION_BUCKETS_SECONDS,
    ) -> None:
        self._steps = Histogram(
            f"palimpsest_{stage}_step_duration_seconds",
            words,
            ["step"],
            registry=registry,
            buckets=buckets,
        )

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Observe the duration of the block, whether it succeeds or fails."""
        started = perf_counter()
        tracing = get_active_tracing()
        try:
            if tracing is None:
                yield
            else:
                with tracing.step(step):
                    yield
        finally:
            self._steps.labels(step).observe(perf_counter() - started)
