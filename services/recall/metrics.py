"""Metrics of recall; none is labelled by user."""

from prometheus_client import CollectorRegistry, Counter, Histogram

from palimpsest_server.runtime.step_metrics import StepDurations

_DURATION_BUCKETS_SECONDS = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
)  # fmt: skip
_RESULT_BUCKETS = (0, 1, 2, 5, 10, 20, 50, 100)


class RecallMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self.timed = StepDurations(
            registry,
            "recall",
            "Time of each step of a recall; `whole` is all of them",
            buckets=_DURATION_BUCKETS_SECONDS,
        ).timed
        self._results = Histogram(
            "palimpsest_recall_results",
            "How much each recall returned",
            registry=registry,
            buckets=_RESULT_BUCKETS,
        )
        self._memories = Counter(
            "palimpsest_recall_returned_memories_total",
            "Memories that recalls returned, previews left out",
            registry=registry,
        )
        self._outcomes = Counter(
            "palimpsest_recall_requests_total", "Recalls by outcome", ["outcome"], registry=registry
        )
        self._disagreements = Counter(
            "palimpsest_recall_dropped_hits_total",
            "Hits of the projection that the document in MongoDB did not bear out, by why",
            ["why"],
            registry=registry,
        )
        self._accesses = Counter(
            "palimpsest_recall_accesses_total",
            "Recalls whose accesses were published or given up",
            ["outcome"],
            registry=registry,
        )

    def answered(self, outcome: str, results: int) -> None:
        self._outcomes.labels(outcome).inc()
        self._results.observe(results)

    def returned(self, memories: int) -> None:
        self._memories.inc(memories)

    def failed(self) -> None:
        self._outcomes.labels("failed").inc()

    def dropped(self, why: str) -> None:
        self._disagreements.labels(why).inc()

    def accesses(self, outcome: str, recalls: int) -> None:
        self._accesses.labels(outcome).inc(recalls)
