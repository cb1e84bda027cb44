"""The bus on Apache Kafka: the same contract, and what only a real group coordinator shows."""

from collections.abc import AsyncIterator

import pytest

from palimpsest.delivery.connection import KafkaSettings
from tests.libs.delivery.bus_contract import BusContract, Stand

pytestmark = pytest.mark.stack


@pytest.fixture
async def stand(kafka_stack: str, topic_prefix: str) -> AsyncIterator[Stand]:
    settings = KafkaSettings(
        bootstrap_servers=kafka_stack,
        topic_prefix=topic_prefix,
        partitions=4,
        fetch_maximum_wait_milliseconds=50,
        session_timeout_milliseconds=6_000,
        rebalance_timeout_milliseconds=10_000,
        idempotent_producer=True,
        graceful_timeout_seconds=5,
    )
    async with Stand(settings) as stand:
        yield stand


class TestBusOnApacheKafka(BusContract):
    pass
