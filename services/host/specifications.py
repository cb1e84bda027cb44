"""Builds the AsyncAPI and OpenAPI documents from the code that serves them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from typing import Any

from faststream.specification.asyncapi import AsyncAPI

from palimpsest.events.topics import TOPICS
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.delivery.faststream_adapter import describe_topic, unite_models
from palimpsest_server.runtime.configured_models import build_embedder
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import Service
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from services.host.platform import build_platform
from services.host.service_registry import SERVICES, build_services


@dataclass(frozen=True, kw_only=True)
class _DescribedPlatform(Platform):
    """A platform that keeps the buses of its services."""

    buses: list[Bus] = field(default_factory=list)

    def open_bus(self, service: str) -> Bus:
        bus = super().open_bus(service)
        assert isinstance(bus, Bus)  # noqa: S101 - a platform on Kafka opens no other
        self.buses.append(bus)
        return bus


async def build_asyncapi_document(settings: Settings) -> dict[str, Any]:
    """Describe every topic as a channel, from the subscribers of the wired services.

    A topic that no service subscribes to is described by its publisher. Nothing is connected to.
    """
    platform, _ = _wire_services(settings)
    try:
        brokers = [bus.broker for bus in platform.buses]
        _declare_publishers(platform.buses, settings)
        specification = AsyncAPI(
            *brokers,
            title="Palimpsest",
            version=version("palimpsest-memory"),
            description="The topics between chat services and Palimpsest, and within it.",
        )
        document: dict[str, Any] = specification.to_specification().to_jsonable()
    finally:
        platform.database.close()
    # FastStream keeps subscribers in a set. Sorting makes two documents equal.
    order = {topic.name: position for position, topic in enumerate(TOPICS)}
    for part in ("channels", "operations"):
        document[part] = dict(sorted(document[part].items(), key=lambda item: order[item[0]]))
    document["components"] = {
        part: dict(sorted(named.items())) for part, named in document["components"].items()
    }
    return document


def _declare_publishers(buses: Sequence[Bus], settings: Settings) -> None:
    """Have a topic without a subscriber here described by the service that writes it."""
    read = {topic.name for bus in buses for topic in bus.consumed_topics}
    for topic in TOPICS:
        if topic.name not in read:
            writer = next((bus for bus in buses if bus.service in topic.writers), buses[0])
            writer.broker.publisher(
                settings.kafka_topic_prefix + topic.name,
                title=topic.name,
                description=describe_topic(topic),
                schema=unite_models(topic),
            )


async def build_openapi_document(settings: Settings) -> dict[str, Any]:
    """Describe the routes of every service. Nothing is connected to."""
    platform, services = _wire_services(settings)
    try:
        application = build_http_application(
            services,
            settings=platform.settings,
            registry=platform.registry,
            access=platform.access,
        )
        return application.openapi()
    finally:
        platform.database.close()


def _wire_services(settings: Settings) -> tuple[_DescribedPlatform, list[Service]]:
    somewhere = settings.model_copy(update={"vectors": VectorsBackend.EDGE})
    plain = build_platform(somewhere, SERVICES, build_embedder(settings))
    platform = _DescribedPlatform(
        **{each.name: getattr(plain, each.name) for each in fields(plain)}
    )
    return platform, build_services(SERVICES, platform)
