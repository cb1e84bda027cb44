"""Metrics of the consolidator; never by user."""

from prometheus_client import CollectorRegistry, Counter, Gauge

from palimpsest.model.quality_report import QualityReport, RecallProbe
from palimpsest_server.runtime.step_metrics import StepDurations

QUALITIES = ("contradictions", "duplicates", "drift", "probes asked", "probes found")


class ConsolidatorMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self.decisions = Counter(
            "palimpsest_consolidator_decisions_total",
            "Candidates and commands by what was decided about them",
            ["outcome"],
            registry=registry,
        )
        self.feedback = Counter(
            "palimpsest_consolidator_feedback_total",
            "Verdicts about what was recalled: helpful, wrong or outdated",
            ["verdict"],
            registry=registry,
        )
        self.used_results = Counter(
            "palimpsest_consolidator_used_results_total",
            "Results of recalls that chat services said they used",
            registry=registry,
        )
        self.questions = Counter(
            "palimpsest_consolidator_questions_total",
            "New memories of which a model was asked whether they are one that stands already",
            registry=registry,
        )
        self.refused_writes = Counter(
            "palimpsest_consolidator_refused_writes_total",
            "Change sets refused because another writer, or the same event before, was there first",
            registry=registry,
        )
        self.version_conflicts = Counter(
            "palimpsest_consolidator_version_conflicts_total",
            "Memories found at a lower version than a change set expected, and brought up to it",
            registry=registry,
        )
        self.dropped = Counter(
            "palimpsest_consolidator_dropped_total",
            "Events and change sets of an older epoch, and what nobody here can project",
            ["reason"],
            registry=registry,
        )
        self.projected = Counter(
            "palimpsest_consolidator_projected_points_total",
            "Points handed to the vector store",
            ["record"],
            registry=registry,
        )
        self.reprojections = Counter(
            "palimpsest_consolidator_reprojections_total",
            "Memories whose vectors were asked for again",
            registry=registry,
        )
        self.resumed = Counter(
            "palimpsest_consolidator_resumed_change_sets_total",
            "Change sets whose remaining steps were finished later than their first",
            registry=registry,
        )
        self.given_up = Counter(
            "palimpsest_consolidator_given_up_change_sets_total",
            "Change sets that failed for good when finished, and are left alone until a restart",
            registry=registry,
        )
        self.unfinished = Gauge(
            "palimpsest_consolidator_unfinished_change_sets",
            "Change sets that this process could finish when its reconciler last looked",
            registry=registry,
        )
        self.oldest_unfinished = Gauge(
            "palimpsest_consolidator_oldest_unfinished_seconds",
            "Age of the oldest of them",
            registry=registry,
        )
        self.drift = Gauge(
            "palimpsest_consolidator_drift_memories",
            "Memories whose projection differed in the last full round",
            registry=registry,
        )
        self.drifting_turns = Gauge(
            "palimpsest_consolidator_drift_turns",
            "Messages that were searchable once and had no vectors in the last full round",
            registry=registry,
        )
        self.republished_turns = Counter(
            "palimpsest_consolidator_republished_turns_total",
            "Messages whose vectors were lost and asked for again",
            registry=registry,
        )
        self.memories = Gauge(
            "palimpsest_consolidator_memories",
            "Memories by kind and status, counted in the last full round",
            ["kind", "status"],
            registry=registry,
        )
        self.users = Gauge(
            "palimpsest_consolidator_users",
            "Users who have had a memory, by whether they have memory on; of the last full round",
            ["state"],
            registry=registry,
        )
        self._quality = Gauge(
            "palimpsest_consolidator_quality",
            "Sums of the latest quality reports of all namespaces, by what was counted",
            ["what"],
            registry=registry,
        )
        for what in QUALITIES:
            self._quality.labels(what)
        self.average_importance = Gauge(
            "palimpsest_consolidator_average_importance",
            "Of active memories, 0 to 1, of the last full round",
            registry=registry,
        )
        self.timed = StepDurations(registry, "consolidator", "Time of each step of a batch").timed

    def reported(self, total: QualityReport) -> None:
        """Record the sum of all namespaces' quality reports."""
        probe = total.probe or RecallProbe()
        counts = (
            total.contradictions,
            total.duplicates,
            total.drift or 0,
            probe.asked,
            probe.found,
        )
        for what, count in zip(QUALITIES, counts, strict=True):
            self._quality.labels(what).set(count)
