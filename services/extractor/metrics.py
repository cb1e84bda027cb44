"""Metrics of the extractor; never by user."""

from collections import Counter as Tally
from collections.abc import Iterable
from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from palimpsest.events.extractor_answers import (
    CandidatesProposed,
    ExtractorAnswer,
    SummaryProposed,
)
from palimpsest_server.extraction.grounding import ProposalFlaw
from palimpsest_server.stores.ledger import LedgerBacklog

_DURATION_BUCKETS_SECONDS = (
    0.001,
    0.005,
    0.01,
    0.05,
    0.1,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    30.0,
    60.0,
    120.0,
)


def _outcome(event: SummaryProposed) -> str:
    if event.summary is None:
        return "nothing"
    return "failed" if event.summary.failed else "made"


class ExtractorMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, words: str, *labels: str) -> Counter:
            return Counter(f"palimpsest_extractor_{name}_total", words, labels, registry=registry)

        self.requests = Gauge(
            "palimpsest_extractor_requests",
            "Requests in the ledger, by state",
            ["state"],
            registry=registry,
        )
        self.oldest_pending = Gauge(
            "palimpsest_extractor_oldest_pending_seconds",
            "Age of the oldest request that waits; 0 when there is none",
            registry=registry,
        )
        self.in_hand = Gauge(
            "palimpsest_extractor_in_hand_requests",
            "Requests leased by this process",
            registry=registry,
        )
        self.written = counter("written_requests", "Requests newly written down")
        self.attempts = counter("attempts", "Requests given to a provider", "provider")
        self.answers = counter("answers", "Answers stored", "provider")
        self.refused = counter("refused_answers", "Answers that came after their lease was lost")
        self.failures = counter("failures", "Attempts that failed", "provider", "reason")
        self.held_back = counter(
            "held_back",
            "Requests given back untried, for the provider is not to be asked",
            "reason",
        )
        self.fallbacks = counter(
            "fallbacks", "Requests that another provider answered instead", "reason"
        )
        self.set_aside = counter("set_aside_requests", "Requests given up", "reason")
        self.dropped = counter("dropped_requests", "Requests nothing may follow from", "reason")
        self.candidates = counter("candidates", "Candidates published", "kind")
        self.summaries = counter("summaries", "Sessions summed up, by what came of it", "outcome")
        self.ungrounded = counter(
            "dropped_proposals", "Proposals without sound evidence", "provider", "flaw"
        )
        self.unread = counter(
            "unread_characters", "Characters of messages that took too long to be read to their end"
        )
        self.reconciled = counter(
            "reconciled_requests", "Requests the reconciler moved on, by how", "outcome"
        )
        self.usage = counter("told_calls", "Calls of models announced to whoever charges for them")
        self.duration = Histogram(
            "palimpsest_extractor_duration_seconds",
            "Time a provider took for a request",
            ["provider"],
            registry=registry,
            buckets=_DURATION_BUCKETS_SECONDS,
        )

    def flaws(self, provider: str, dropped: Tally[ProposalFlaw]) -> None:
        for flaw, count in dropped.items():
            self.ungrounded.labels(provider, flaw).inc(count)

    def proposed(self, events: Iterable[ExtractorAnswer]) -> None:
        for event in events:
            if isinstance(event, SummaryProposed):
                self.summaries.labels(_outcome(event)).inc()
            if isinstance(event, CandidatesProposed):
                self.unread.inc(event.unread_characters)
            for candidate in event.candidates:
                self.candidates.labels(candidate.kind).inc()

    def backlog(self, backlog: LedgerBacklog, now: datetime) -> None:
        for state, count in backlog.counts.items():
            self.requests.labels(state).set(count)
        oldest = backlog.oldest_pending
        self.oldest_pending.set((now - oldest).total_seconds() if oldest else 0)
