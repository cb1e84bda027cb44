"""The AsyncAPI and OpenAPI documents, made from the code that serves them."""

from importlib.metadata import version
from typing import Any, Union

from faststream.kafka import KafkaBroker
from faststream.specification.asyncapi import AsyncAPI

from palimpsest.events.topics import TOPICS
from palimpsest_server.runtime.configured_models import build_embedder
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from services.host.platform import build_platform
from services.host.service_registry import SERVICES, build_services

_KEY = "Keyed by `user_id`."


def build_asyncapi_document(bootstrap_servers: str) -> dict[str, Any]:
    """Every topic of the table as a channel, with the models that travel on it."""
    broker = KafkaBroker(bootstrap_servers)
    for topic in TOPICS:
        words = (
            f"{topic.description} {_KEY} Written by {', '.join(topic.writers)};"
            f" read by {', '.join(topic.readers)}."
        )
        broker.publisher(
            topic.name,
            title=topic.name,
            description=words,
            # One of its models: FastStream reads a union, made here from a tuple.
            schema=Union[topic.models],  # noqa: UP007
        )
    specification = AsyncAPI(
        broker,
        title="Palimpsest",
        version=version("palimpsest-memory"),
        description="The topics between chat services and Palimpsest, and within it.",
    )
    document: dict[str, Any] = specification.to_specification().to_jsonable()
    # FastStream keeps publishers in a set: put in order, two printouts are the same.
    order = {topic.name: position for position, topic in enumerate(TOPICS)}
    for part in ("channels", "operations"):
        document[part] = dict(sorted(document[part].items(), key=lambda item: order[item[0]]))
    document["components"] = {
        part: dict(sorted(named.items())) for part, named in document["components"].items()
    }
    return document


async def build_openapi_document(settings: Settings) -> dict[str, Any]:
    """The routes of every service. Nothing is connected to."""
    somewhere = settings.model_copy(update={"vectors": VectorsBackend.EDGE})
    embedder = build_embedder(settings)
    platform = build_platform(somewhere, SERVICES, embedder)
    try:
        services = build_services(SERVICES, platform)
        application = build_http_application(
            services, settings=somewhere, registry=platform.registry
        )
        return application.openapi()
    finally:
        platform.database.close()
