"""Every metric that the services register, read from where they do it; nothing is connected to."""

from dataclasses import dataclass

from prometheus_client import CollectorRegistry
from prometheus_client.metrics import MetricWrapperBase

from palimpsest_server.embedders.embedder_factory import create_embedder
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from services.host.loop_delay import LoopDelayWatch
from services.host.platform import build_platform
from services.host.service_registry import SERVICES, build_services


@dataclass(frozen=True)
class Family:
    name: str
    """As it is exposed: a counter's with `_total`."""
    kind: str
    words: str
    labels: frozenset[str]

    @property
    def samples(self) -> set[str]:
        """The names that a query may ask for."""
        if self.kind == "histogram":
            return {f"{self.name}_{part}" for part in ("bucket", "sum", "count")}
        return {self.name}


async def metrics_of_code() -> dict[str, Family]:
    """By name; those of all services, of HTTP and of the process."""
    settings = Settings(_env_file=None, vectors=VectorsBackend.EDGE, embedder="hashing")
    embedder = create_embedder(settings.embedder, batch_texts=settings.embedder_batch_texts)
    platform = build_platform(settings, SERVICES, embedder)
    try:
        services = build_services(SERVICES, platform)
        build_http_application(
            services, settings=settings, registry=platform.registry
        ).build_middleware_stack()
        LoopDelayWatch(platform.registry)
        return families(platform.registry)
    finally:
        platform.database.close()


def families(registry: CollectorRegistry) -> dict[str, Family]:
    """Ours, and not what the libraries say of the process."""
    found = {}
    for collector in registry._collector_to_names:
        if isinstance(collector, MetricWrapperBase):
            (described,) = collector.describe()
            name = described.name + ("_total" if described.type == "counter" else "")
            labels = frozenset(collector._labelnames)
            found[name] = Family(name, described.type, described.documentation, labels)
    return found
