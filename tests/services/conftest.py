"""A platform without vectors, on a real broker and a real database: what a service is built on."""

import pytest
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from palimpsest.model.clock import system_clock
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.shared_validators import share_validators

share_validators()


@pytest.fixture
def platform(
    database: MongoDatabase, kafka_bootstrap: str, topic_prefix: str, mongodb_url: str
) -> Platform:
    return Platform(
        settings=Settings(
            kafka_bootstrap_servers=kafka_bootstrap,
            kafka_topic_prefix=topic_prefix,
            kafka_idempotent_producer=False,
            kafka_fetch_maximum_wait_milliseconds=15,
            kafka_session_timeout_milliseconds=6_000,
            kafka_volatile=True,
            mongodb_url=SecretStr(mongodb_url),
        ),
        clock=system_clock,
        database=database,
        embedder=HashingEmbedder(),
        vectors=None,
        registry=CollectorRegistry(),
    )
