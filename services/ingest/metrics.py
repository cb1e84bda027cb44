"""Metrics of ingest; metrics of all stages are in `palimpsest_server.delivery.stage_metrics`."""

from collections.abc import Sequence
from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Gauge

from palimpsest_server.runtime.step_metrics import StepDurations


class IngestMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._events = Counter(
            "palimpsest_ingest_events_total",
            "Events taken in, by way, type and what became of them",
            ["way", "type", "outcome"],
            registry=registry,
        )
        self._redactions = Counter(
            "palimpsest_ingest_redactions_total",
            "Secrets taken out of texts, by kind",
            ["kind"],
            registry=registry,
        )
        self._windows = Counter(
            "palimpsest_ingest_windows_total",
            "Windows cut, by why and whether they were sent to the extractor",
            ["trigger", "outcome"],
            registry=registry,
        )
        self._collisions = Counter(
            "palimpsest_ingest_collisions_total",
            "Times that another owner of a session was there first, by what for",
            ["what"],
            registry=registry,
        )
        self._reconciled = Counter(
            "palimpsest_ingest_reconciled_total",
            "Kept things the reconciler looked at, by kind and what it did",
            ["what", "outcome"],
            registry=registry,
        )
        self._oldest_pending = Gauge(
            "palimpsest_ingest_oldest_pending_seconds",
            "How long the oldest of what has waited beyond the grace for its effect had waited",
            ["what"],
            registry=registry,
        )
        self.timed = StepDurations(registry, "ingest", "Time of each step of a batch").timed

    def event(self, way: str, event_type: str, outcome: str) -> None:
        self._events.labels(way, event_type, outcome).inc()

    def redacted(self, kinds: Sequence[str]) -> None:
        for kind in kinds:
            self._redactions.labels(kind).inc()

    def window(self, trigger: str, outcome: str) -> None:
        self._windows.labels(trigger, outcome).inc()

    def collision(self, what: str) -> None:
        self._collisions.labels(what).inc()

    def reconciled(self, what: str, outcome: str, count: int) -> None:
        self._reconciled.labels(what, outcome).inc(count)

    def oldest_pending(self, what: str, since: datetime | None, now: datetime) -> None:
        """Set the age of the oldest overdue entry; None if nothing is overdue."""
        age = 0.0 if since is None else max((now - since).total_seconds(), 0.0)
        self._oldest_pending.labels(what).set(age)
