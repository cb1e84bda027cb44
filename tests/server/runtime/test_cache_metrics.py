"""What was found in memory is counted apart from what had to be read, for each cache by its name."""

from prometheus_client import CollectorRegistry

from palimpsest_server.runtime.cache_metrics import CacheMetrics
from palimpsest_server.stores.cached_sessions import CachedSessions
from palimpsest_server.stores.cached_user_states import CachedUserStates, StoredUserStates
from palimpsest_server.stores.epochs import InMemoryEpochs
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.user_settings import InMemoryUserSettings
from tests.support.clock import SettableClock
from tests.support.stores.sessions import InMemorySessions


async def test_both_caches_say_what_they_had_and_what_they_read(clock: SettableClock) -> None:
    registry = CollectorRegistry()
    metrics = CacheMetrics(registry)

    def counted(what: str) -> list[float | None]:
        return [
            registry.get_sample_value(
                "palimpsest_cache_lookups_total", {"what": what, "outcome": outcome}
            )
            for outcome in ("hit", "miss")
        ]

    stored = StoredUserStates(InMemoryUserSettings(), InMemoryEpochs())
    users = CachedUserStates(stored, clock=clock, looked_up=metrics.of("user states"))
    sessions = CachedSessions(InMemorySessions(), clock=clock, looked_up=metrics.of("sessions"))
    assert counted("user states") == counted("sessions") == [0, 0]
    await users.of(["ann", "bob"])
    await users.of(["bob", "cai"])
    assert counted("user states") == [1, 3]
    for _ in range(3):
        await sessions.of([SessionKey("ann", "s")])
    assert counted("sessions") == [2, 1]
