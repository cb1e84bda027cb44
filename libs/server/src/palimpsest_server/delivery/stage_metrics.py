"""Metrics that all stages share, labelled by stage and topic and never by user."""

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from palimpsest.api.operations import StageBacklog

DURATION_BUCKETS_SECONDS = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
)  # fmt: skip
FRESHNESS_BUCKETS_SECONDS = (
    0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.4, 0.75, 1.5, 3.0, 10.0, 30.0, 120.0, 600.0, 3600.0,
)  # fmt: skip


@dataclass(frozen=True)
class _Families:
    """The metrics of one registry, shared by all stages of a process and distinguished by label."""

    received: Counter
    handled: Counter
    failures: Counter
    dead_letters: Counter
    published: Counter
    dropped_batches: Counter
    batch_duration: Histogram
    batch_records: Histogram
    freshness: Histogram
    lag: Gauge
    waiting: Gauge
    oldest_pending: Gauge
    replies: Counter
    changes: Counter

    @classmethod
    def on(cls, registry: CollectorRegistry) -> "_Families":
        def counter(name: str, words: str, *labels: str) -> Counter:
            return Counter(name, words, ["stage", *labels], registry=registry)

        def gauge(name: str, words: str) -> Gauge:
            return Gauge(name, words, ["stage", "topic"], registry=registry)

        def histogram(name: str, words: str, buckets: tuple[float, ...]) -> Histogram:
            return Histogram(name, words, ["stage", "topic"], registry=registry, buckets=buckets)

        return cls(
            received=counter(
                "palimpsest_stage_received_records_total", "Records read from Kafka", "topic"
            ),
            handled=counter(
                "palimpsest_stage_handled_events_total", "Events whose handling is done", "topic"
            ),
            failures=counter(
                "palimpsest_stage_failures_total",
                "Handler calls that failed, by reason; one event may cause several",
                "topic",
                "reason",
            ),
            dead_letters=counter(
                "palimpsest_stage_dead_letters_total", "Records set aside", "topic", "reason"
            ),
            published=counter(
                "palimpsest_stage_published_records_total", "Records Kafka has taken", "topic"
            ),
            dropped_batches=counter(
                "palimpsest_stage_dropped_batches_total",
                "Batches given back undone: partitions revoked, patience over, or told to stop",
                "topic",
            ),
            batch_duration=histogram(
                "palimpsest_stage_batch_duration_seconds",
                "From a batch's arrival to its end, waits included",
                DURATION_BUCKETS_SECONDS,
            ),
            batch_records=histogram(
                "palimpsest_stage_batch_records",
                "Records in a batch",
                (1, 2, 5, 10, 20, 50, 100, 200, 500),
            ),
            freshness=histogram(
                "palimpsest_stage_freshness_seconds",
                "From received_at to the end of handling in this stage",
                FRESHNESS_BUCKETS_SECONDS,
            ),
            lag=gauge("palimpsest_stage_lag_records", "Records on the topic not handled yet"),
            waiting=gauge(
                "palimpsest_stage_waiting", "1 while the stage waits for a transient failure to end"
            ),
            oldest_pending=gauge(
                "palimpsest_stage_oldest_pending_seconds",
                "Age of the oldest record in the batch in hand; without a batch, the time for which"
                " a record has waited to be read",
            ),
            replies=counter(
                "palimpsest_stage_replies_total",
                "Requests over Kafka, by what came of them",
                "outcome",
            ),
            changes=counter(
                "palimpsest_stage_changes_total", "Announced changes read, by outcome", "outcome"
            ),
        )


_BY_REGISTRY: WeakKeyDictionary[CollectorRegistry, _Families] = WeakKeyDictionary()


class StageMetrics:
    """The metrics of one stage. Several stages may share a registry."""

    def __init__(self, registry: CollectorRegistry, stage: str) -> None:
        families = _BY_REGISTRY.get(registry)
        if families is None:
            families = _BY_REGISTRY[registry] = _Families.on(registry)
        self._families = families
        self._stage = stage

    def received(self, topic: str, records: int) -> None:
        self._families.received.labels(self._stage, topic).inc(records)
        self._families.batch_records.labels(self._stage, topic).observe(records)

    def handled(self, topic: str, events: int) -> None:
        self._families.handled.labels(self._stage, topic).inc(events)

    def fresh(self, topic: str, seconds: float) -> None:
        self._families.freshness.labels(self._stage, topic).observe(max(seconds, 0.0))

    def failed(self, topic: str, reason: str) -> None:
        self._families.failures.labels(self._stage, topic, reason).inc()

    def dead_lettered(self, topic: str, reason: str) -> None:
        self._families.dead_letters.labels(self._stage, topic, reason).inc()

    def published(self, topic: str, records: int) -> None:
        self._families.published.labels(self._stage, topic).inc(records)

    def dropped(self, topic: str) -> None:
        self._families.dropped_batches.labels(self._stage, topic).inc()

    def batch_took(self, topic: str, seconds: float) -> None:
        self._families.batch_duration.labels(self._stage, topic).observe(seconds)

    def lag(self, topic: str, records: int) -> None:
        self._families.lag.labels(self._stage, topic).set(records)

    def waiting(self, topic: str, *, waiting: bool) -> None:
        self._families.waiting.labels(self._stage, topic).set(1 if waiting else 0)

    def oldest_pending(self, topic: str, age_seconds: Callable[[], float]) -> None:
        """Register a function that returns the age, called whenever the metrics are read."""
        self._families.oldest_pending.labels(self._stage, topic).set_function(age_seconds)

    def replied(self, outcome: str) -> None:
        self._families.replies.labels(self._stage, outcome).inc()

    def change_read(self, outcome: str) -> None:
        self._families.changes.labels(self._stage, outcome).inc()


def read_stage_backlogs(registry: CollectorRegistry) -> list[StageBacklog]:
    """Return what waits in each stage that reports to this registry, by stage and topic."""
    families = _BY_REGISTRY.get(registry)
    if families is None:
        return []
    lags, ages = _read_gauge(families.lag), _read_gauge(families.oldest_pending)
    return [
        StageBacklog(
            stage=stage,
            topic=topic,
            lag_records=int(lags.get((stage, topic), 0)),
            oldest_pending_seconds=max(0.0, ages.get((stage, topic), 0.0)),
        )
        for stage, topic in sorted(lags.keys() | ages.keys())
    ]


def _read_gauge(gauge: Gauge) -> dict[tuple[str, str], float]:
    return {
        (sample.labels["stage"], sample.labels["topic"]): sample.value
        for metric in gauge.collect()
        for sample in metric.samples
    }
