"""One run's topics and its database on a real Kafka, and the processes on them."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Self

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from prometheus_client import CollectorRegistry

from palimpsest.events.envelope import Event
from palimpsest.events.topics import CANDIDATES, WRITES, Topic
from palimpsest.model.change_set import ChangeSetProgress
from palimpsest.model.clock import system_clock
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.stores.collections import CHANGE_SETS
from palimpsest_server.stores.dead_letters import InMemoryDeadLetters
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.stack.gate import WriteGate
from tests.support.stack.served import Served

PATIENCE_SECONDS = 120.0
PARTITIONS = 6


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Return when the condition holds; other processes are asked, and announce nothing."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await condition():  # noqa: ASYNC110 - see above
            await asyncio.sleep(0.1)


class World:
    """One run's topics and its database, the processes on them started one by one."""

    def __init__(self, kafka: str, mongodb_url: str, directory: Path) -> None:
        name = uuid.uuid4().hex[:12]
        self.directory = directory
        self.database = MongoDatabase(mongodb_url, f"test_{name}")
        self._kafka = KafkaSettings(
            bootstrap_servers=kafka, topic_prefix=f"t{name}-", partitions=PARTITIONS
        )
        self._settings = {
            "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS": kafka,
            "PALIMPSEST_KAFKA_TOPIC_PREFIX": self._kafka.topic_prefix,
            "PALIMPSEST_KAFKA_PARTITIONS": str(PARTITIONS),
            "PALIMPSEST_KAFKA_SESSION_TIMEOUT_MILLISECONDS": "3000",
            "PALIMPSEST_KAFKA_REBALANCE_TIMEOUT_MILLISECONDS": "15000",
            "PALIMPSEST_MONGODB_URL": mongodb_url,
            "PALIMPSEST_MONGODB_DATABASE": f"test_{name}",
            "PALIMPSEST_DATA_DIRECTORY": str(directory),
            "PALIMPSEST_EMBEDDER": "hashing",
            "PALIMPSEST_RECONCILE_INTERVAL_SECONDS": "0.5",
        }
        self._bus = Bus(
            "feed",
            settings=self._kafka,
            dead_letters=InMemoryDeadLetters(),
            registry=CollectorRegistry(),
            clock=system_clock,
        )
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self.database.ensure_indexes()
        await self._bus.start()
        self._open.push_async_callback(self._bus.stop)
        self._admin = AIOKafkaAdminClient(bootstrap_servers=self._kafka.bootstrap_servers)
        self._open.push_async_callback(self._admin.close)
        await self._admin.start()
        self._ends = AIOKafkaConsumer(bootstrap_servers=self._kafka.bootstrap_servers)
        self._open.push_async_callback(self._ends.stop)
        await self._ends.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()
        await self.database.drop()
        self.database.close()

    async def consolidator(
        self, mongodb_url: str | None = None, *, simulated_from: datetime | None = None
    ) -> Served:
        """One without vectors, started and perhaps not yet ready."""
        own = {} if mongodb_url is None else {"PALIMPSEST_MONGODB_URL": mongodb_url}
        arguments = []
        if simulated_from is not None:
            own |= {"PALIMPSEST_MAINTENANCE": "false"}
            arguments = ["--simulated-from", simulated_from.isoformat()]
        settings = {
            **self._settings,
            "PALIMPSEST_VECTORS": "none",
            # Many batches, so that whatever happens happens between some.
            "PALIMPSEST_KAFKA_BATCH_MAXIMUM_RECORDS": "40",
            **own,
        }
        served = Served("consolidator", settings=settings, arguments=arguments)
        return await self._open.enter_async_context(served)

    async def embedder(self) -> Served:
        return await self._open.enter_async_context(Served("embedder", settings=self._settings))

    async def projecting(self) -> Served:
        """A consolidator with vectors, and an embedder for those that are asked for again."""
        settings = {
            **self._settings,
            "PALIMPSEST_VECTORS": "edge",
            "PALIMPSEST_RECONCILE_GRACE_SECONDS": "0",
        }
        services = ("embedder", "consolidator")
        return await self._open.enter_async_context(Served(*services, settings=settings))

    async def gate(self, mongodb_url: str) -> WriteGate:
        return await self._open.enter_async_context(WriteGate(mongodb_url))

    async def write(self, events: Sequence[Event]) -> None:
        await self._bus.publisher.publish(WRITES, events)

    async def send(self, events: Sequence[Event]) -> None:
        """Past the embedder."""
        await self._bus.publisher.publish(CANDIDATES, events)

    async def is_read(self, topic: Topic, service: str) -> bool:
        """Tell whether this service's group has put everything on the topic behind it."""
        partitions = [
            TopicPartition(self._kafka.physical(topic), number) for number in range(PARTITIONS)
        ]
        ends = await self._ends.end_offsets(partitions)
        committed = await self._admin.list_consumer_group_offsets(self._kafka.group(service))
        return all(
            end == 0 or (partition in committed and committed[partition].offset == end)
            for partition, end in ends.items()
        )

    async def shared_by(self, members: int) -> None:
        """Return when so many consolidators have their partitions."""

        async def is_shared() -> bool:
            group = self._kafka.group("consolidator")
            (answer,) = await self._admin.describe_consumer_groups([group])
            ((_, _, state, _, _, found, *_),) = answer.groups
            return state == "Stable" and len(found) == members

        await until(is_shared)

    async def all_written(self) -> None:
        await until(lambda: self.is_read(WRITES, "consolidator"))

    async def all_settled(self) -> None:
        """Return when nothing is on its way, from the embedder to the consolidators or back."""
        for _ in range(2):
            # What a decision leads to is sent before it is behind the one who has made it.
            await until(lambda: self.is_read(CANDIDATES, "embedder"))
            await self.all_written()

    async def all_projected(self) -> None:
        async def nothing_open() -> bool:
            open_ones = {"progress": {"$ne": ChangeSetProgress.ANNOUNCED.value}}
            return await self.database.collection(CHANGE_SETS).find_one(open_ones) is None

        await until(nothing_open)
        # What was asked for again goes once through the embedder and comes back.
        await until(lambda: self.is_read(CANDIDATES, "embedder"))
        await self.all_written()
