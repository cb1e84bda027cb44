"""Metrics of caches: how often a value was in memory, and how often it had to be read."""

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
        """Return the listener of one cache; `what` is a word of the code."""
        hit, miss = (self._lookups.labels(what, outcome) for outcome in ("hit", "miss"))

        def looked_up(hits: int, misses: int) -> None:
            hit.inc(hits)
            miss.inc(misses)

        return looked_up
