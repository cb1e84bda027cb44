"""Several consolidators on Apache Kafka, rebalanced and stalled: as if there had been only one."""

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from prometheus_client import CollectorRegistry

from palimpsest.contracts.collections import CHANGE_SETS, MEMORIES
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.topics import CANDIDATES, WRITES, Topic
from palimpsest.delivery.bus import Bus
from palimpsest.delivery.connection import KafkaSettings
from palimpsest.domain.change_set import Progress
from palimpsest.domain.clock import system_clock
from palimpsest.domain.memory import Status
from palimpsest.stores.dead_letters import MemoryDeadLetters
from palimpsest.stores.mongo import MongoDatabase
from tests.stack import feed
from tests.stack.end_state import Stored, memories_in, projected, searched, stored
from tests.stack.gate import WriteGate
from tests.stack.served import Served

pytestmark = [pytest.mark.stack, pytest.mark.timeout(400)]

PATIENCE_SECONDS = 120.0
PARTITIONS = 6
SLICE = 24
LATE_WRITES = (("insert", CHANGE_SETS.name), ("update", MEMORIES.name))
"""A decision that comes too late, and a write of memories whose decision came in time."""

REFUSED = "palimpsest_consolidator_refused_writes_total"


@dataclass(frozen=True, kw_only=True)
class Round:
    """One stall: what is held back, what is in the stalled one's hands, what others do."""

    command: str
    collection: str
    in_hand: Sequence[Event]
    meanwhile: Sequence[Event]


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
            dead_letters=MemoryDeadLetters(),
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

    async def consolidator(self, mongodb_url: str | None = None) -> Served:
        """One without vectors, started and perhaps not yet ready."""
        own = {} if mongodb_url is None else {"PALIMPSEST_MONGODB_URL": mongodb_url}
        settings = {
            **self._settings,
            "PALIMPSEST_VECTORS": "none",
            # Many batches, so that whatever happens happens between some.
            "PALIMPSEST_KAFKA_BATCH_MAXIMUM_RECORDS": "40",
            **own,
        }
        return await self._open.enter_async_context(Served("consolidator", settings=settings))

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

    async def is_read(self, topic: Topic, service: str) -> bool:
        """Whether this service's group has put everything on the topic behind it."""
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

    async def all_projected(self) -> None:
        async def nothing_open() -> bool:
            open_ones = {"progress": {"$ne": Progress.ANNOUNCED.value}}
            return await self.database.collection(CHANGE_SETS).find_one(open_ones) is None

        await until(nothing_open)
        # What was asked for again goes once through the embedder and comes back.
        await until(lambda: self.is_read(CANDIDATES, "embedder"))
        await self.all_written()


@pytest.fixture
async def undisturbed(kafka_stack: str, mongodb_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with World(kafka_stack, mongodb_url, tmp_path / "undisturbed") as world:
        yield world


@pytest.fixture
async def disturbed(kafka_stack: str, mongodb_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with World(kafka_stack, mongodb_url, tmp_path / "disturbed") as world:
        yield world


async def test_rebalanced_and_stalled_consolidators_leave_what_a_single_one_does(
    undisturbed: World, disturbed: World, mongodb_url: str
) -> None:
    gate = await disturbed.gate(mongodb_url)
    single = await undisturbed.projecting()
    stalling = await disturbed.consolidator(gate.url)
    steady = await disturbed.consolidator()
    await asyncio.gather(single.ready(), stalling.ready(), steady.ready())

    peaceful = [await feed.of_everybody(stage) for stage in (feed.beginning, feed.changes_of_mind)]
    rounds = [await _round(number, *write) for number, write in enumerate(LATE_WRITES)]
    afterwards = await feed.of_everybody(partial(feed.in_hand, len(rounds)))
    await undisturbed.write([event for stage in peaceful for event in stage])
    await undisturbed.write([event for one in rounds for event in (*one.in_hand, *one.meanwhile)])
    await undisturbed.write(afterwards)

    await _write_under_rebalances(disturbed, [event for stage in peaceful for event in stage])
    for one in rounds:
        await _write_around_a_stalled_one(disturbed, one, stalling, gate)
    # It goes on as the only one, with what it remembers out of date.
    await disturbed.shared_by(2)
    await steady.stop()
    await disturbed.write(afterwards)
    await disturbed.all_written()
    await undisturbed.all_written()
    await undisturbed.all_projected()

    refused = await stalling.metric(REFUSED)
    await asyncio.gather(single.stop(), stalling.stop())
    expected, found = await stored(undisturbed.database), await stored(disturbed.database)
    _check_that_it_was_a_run_worth_comparing(expected)
    assert found == expected
    assert refused > 0

    finishing = await disturbed.projecting()
    await finishing.ready()
    await disturbed.all_projected()
    await finishing.stop()
    assert await stored(disturbed.database) == expected
    memories = memories_in(expected)
    projection = await projected(undisturbed.directory, memories)
    assert searched(memories).items() <= projection["versions"].items()
    assert await projected(disturbed.directory, memories) == projection


async def _round(number: int, command: str, collection: str) -> Round:
    return Round(
        command=command,
        collection=collection,
        in_hand=await feed.of_everybody(partial(feed.in_hand, number)),
        meanwhile=await feed.of_everybody(partial(feed.meanwhile, number)),
    )


async def _write_around_a_stalled_one(
    world: World, events: Round, stalling: Served, gate: WriteGate
) -> None:
    """Stop a consolidator with a write on its way, which arrives when others have gone past it."""
    await world.all_written()
    await world.shared_by(2)
    late = gate.hold_next(events.command, events.collection)
    await world.write(events.in_hand)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await late.caught.wait()
    stalling.pause()
    await world.write(events.meanwhile)
    # Only when its session has timed out does anybody else get to its partitions.
    await world.all_written()
    late.released.set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await late.answered.wait()
    stalling.resume()


async def _write_under_rebalances(world: World, events: Sequence[Event]) -> None:
    """A third consolidator comes while events flow, and goes while they still do."""
    slices = [events[start : start + SLICE] for start in range(0, len(events), SLICE)]
    third = await world.consolidator()
    joined = asyncio.create_task(third.ready())
    kept_for_its_time = len(slices) // 2
    while len(slices) > kept_for_its_time and not joined.done():
        await world.write(slices.pop(0))
        await asyncio.wait({joined}, timeout=0.2)
    await joined
    leaving = None
    while slices:
        await world.write(slices.pop(0))
        leaving = leaving or asyncio.create_task(third.stop())
    if leaving is not None:
        await leaving


def _check_that_it_was_a_run_worth_comparing(state: Stored) -> None:
    memories = memories_in(state)
    statuses = Counter(memory.status for memory in memories)
    assert not state["dead_letters"]
    assert len(memories) > 10 * len(feed.USERS)
    assert min(statuses[one] for one in (Status.ACTIVE, Status.SUPERSEDED, Status.FORGOTTEN)) > 20
    assert max(memory.version for memory in memories) > 3
    assert sum(len(memory.evidence) > 1 for memory in memories) > len(feed.USERS)
    assert len(state["settings"]) == len(feed.USERS)
    assert state["recalls"]
