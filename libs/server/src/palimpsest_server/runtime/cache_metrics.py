"""Metrics of caches: the number of values found in memory, and of values that had to be read."""

from prometheus_client import CollectorRegistry, Counter

from palimpsest_server.stores.expiring_cache import CacheLookupListener


class CacheMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._lookups = Counter(
            "palimpsest_cache_lookups_total",
            "What services looked for in their memory before they read it, by whether it was there",
            ["what", "outcome"],
            registry=registry,
        )

    def of(self, what: str) -> CacheLookupListener:
        """Return the listener of one cache; `what` is its label in the metrics."""
        hit, miss = (self._lookups.labels(what, outcome) for outcome in ("hit", "miss"))

        def looked_up(hits: int, misses: int) -> None:
            hit.inc(hits)
            miss.inc(misses)

        return looked_up
