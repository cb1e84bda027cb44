"""The backlog of services, by Kafka's offsets."""

import asyncio
from types import TracebackType
from typing import Any, Self

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from palimpsest.events.kafka_clients import list_topic_partitions
from palimpsest.events.topics import CANDIDATES, CONVERSATIONS, WRITES
from services.host.imports.instance_addresses import InstanceAddresses

INPUT_TOPICS = (CONVERSATIONS, CANDIDATES, WRITES)
"""The topics between a message and its recall."""

MAXIMUM_RECORDS = 384
"""The most waiting records before a bulk publisher pauses. Live messages wait behind them, which is
a second or two of work.
"""

POLL_SECONDS = 0.05


class KafkaBacklog:
    """Counts records of the input topics that their consumers have not committed."""

    def __init__(self, addresses: InstanceAddresses) -> None:
        servers = addresses.kafka_bootstrap_servers
        security = addresses.kafka_security.options()
        self._admin = AIOKafkaAdminClient(bootstrap_servers=servers, **security)
        self._consumer = AIOKafkaConsumer(bootstrap_servers=servers, **security)
        self._prefix = addresses.kafka_topic_prefix
        self._partitions: dict[str, tuple[TopicPartition, ...]] = {}

    async def __aenter__(self) -> Self:
        await self._admin.start()
        await self._consumer.start()
        topics = [self._prefix + topic.name for topic in INPUT_TOPICS]
        self._partitions = await list_topic_partitions(self._admin, topics)
        return self

    async def __aexit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._consumer.stop()
        await self._admin.close()

    async def give_way(self) -> None:
        """Return when at most `MAXIMUM_RECORDS` wait, so that live messages are handled soon."""
        while await self.records() > MAXIMUM_RECORDS:  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(POLL_SECONDS)

    async def records(self) -> int:
        """Return the number of records in the input topics that are not handled yet."""
        counts = [
            await self._behind(self._prefix + topic.name, self._prefix + reader)
            for topic in INPUT_TOPICS
            for reader in topic.readers
        ]
        return sum(counts)

    async def _behind(self, topic: str, group: str) -> int:
        places = self._partitions.get(topic, ())
        ends: dict[Any, int] = await self._consumer.end_offsets(places)
        done: dict[Any, Any] = await self._admin.list_consumer_group_offsets(
            group, partitions=places
        )
        return sum(
            max(0, ends[place] - max(0, done[place].offset if place in done else 0))
            for place in places
        )
