"""Metrics of the embedder; never by user."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Histogram

_DURATION_BUCKETS_SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_TEXT_BUCKETS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class EmbedderMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._texts = Counter(
            "palimpsest_embedder_texts_total", "Texts embedded", registry=registry
        )
        self._batch = Histogram(
            "palimpsest_embedder_batch_texts",
            "Different texts in a batch of events",
            registry=registry,
            buckets=_TEXT_BUCKETS,
        )
        self._duration = Histogram(
            "palimpsest_embedder_batch_duration_seconds",
            "Time to embed the texts of a batch",
            registry=registry,
            buckets=_DURATION_BUCKETS_SECONDS,
        )

    @contextmanager
    def embedding(self, texts: int) -> Iterator[None]:
        """Measure the time of one batch; count its texts once they have vectors."""
        self._batch.observe(texts)
        started = perf_counter()
        yield
        self._duration.observe(perf_counter() - started)
        self._texts.inc(texts)
