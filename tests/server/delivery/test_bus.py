"""The bus on the embedded broker."""

from collections.abc import AsyncIterator

import pytest

from palimpsest_server.delivery.connection_settings import KafkaSettings
from tests.contracts.bus_contract import BusContract
from tests.support.server.delivery.stand import Stand

pytestmark = pytest.mark.embedded


@pytest.fixture
async def stand(kafka_bootstrap: str, topic_prefix: str) -> AsyncIterator[Stand]:
    settings = KafkaSettings(
        bootstrap_servers=kafka_bootstrap,
        topic_prefix=topic_prefix,
        partitions=4,
        fetch_maximum_wait_milliseconds=15,
        # This broker has a group wait for half of it before anybody may begin.
        session_timeout_milliseconds=2_000,
        rebalance_timeout_milliseconds=4_000,
        idempotent_producer=False,
        graceful_timeout_seconds=5,
    )
    async with Stand(settings) as stand:
        yield stand


class TestBusOnTheEmbeddedBroker(BusContract):
    pass
