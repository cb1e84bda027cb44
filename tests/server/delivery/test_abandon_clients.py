"""Clients that are abandoned leave no task behind, whether their broker answers or is gone."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import ProducerClosed

from palimpsest_server.delivery.abandon_clients import (
    abandon_admin,
    abandon_consumer,
    abandon_producer,
)
from palimpsest_server.embedded.embedded_servers import EmbeddedServers

pytestmark = pytest.mark.embedded
TOPIC = "abandoned"

Abandon = Callable[[], object]


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[EmbeddedServers]:
    servers = EmbeddedServers(tmp_path)
    await servers.start(database=False)
    # What is killed stays away.
    await servers.supervisor.stop("broker")
    yield servers
    await servers.stop()


async def member(servers: str) -> Abandon:
    """A consumer in a group, with its partitions and a commit behind it."""
    consumer = AIOKafkaConsumer(
        TOPIC,
        bootstrap_servers=servers,
        group_id="group",
        enable_auto_commit=False,
        session_timeout_ms=2_000,
    )
    await consumer.start()
    await consumer.getmany(timeout_ms=50)
    await consumer.commit()
    return lambda: abandon_consumer(consumer)


async def follower(servers: str) -> Abandon:
    consumer = AIOKafkaConsumer(TOPIC, bootstrap_servers=servers)
    await consumer.start()
    return lambda: abandon_consumer(consumer)


async def publisher(servers: str) -> Abandon:
    producer = AIOKafkaProducer(bootstrap_servers=servers)
    await producer.start()
    await producer.send_and_wait(TOPIC, b"1")
    return lambda: abandon_producer(producer)


async def admin(servers: str) -> Abandon:
    client = AIOKafkaAdminClient(bootstrap_servers=servers)
    await client.start()
    await client.list_topics()
    return lambda: abandon_admin(client)


async def topic_made(servers: str) -> None:
    client = AIOKafkaAdminClient(bootstrap_servers=servers)
    await client.start()
    await client.create_topics([NewTopic(TOPIC, 1, 1)])
    await client.close()


async def until_only(before: set["asyncio.Task[object]"]) -> None:
    async with asyncio.timeout(60):
        while asyncio.all_tasks() - before:  # noqa: ASYNC110 - tasks set no event when they end
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("is_gone", [False, True], ids=["there", "gone"])
@pytest.mark.parametrize("client", [member, follower, publisher, admin])
async def test_no_task_is_left(
    broker: EmbeddedServers, client: Callable[[str], Awaitable[Abandon]], is_gone: bool
) -> None:
    await topic_made(broker.kafka_bootstrap)
    before = asyncio.all_tasks()
    abandon = await client(broker.kafka_bootstrap)
    if is_gone:
        os.kill(broker.pids["broker"], signal.SIGKILL)
    abandon()
    await until_only(before)


async def test_what_is_unsent_fails_at_once(broker: EmbeddedServers) -> None:
    await topic_made(broker.kafka_bootstrap)
    producer = AIOKafkaProducer(bootstrap_servers=broker.kafka_bootstrap)
    await producer.start()
    os.kill(broker.pids["broker"], signal.SIGKILL)
    sent = [await producer.send(TOPIC, b"1") for _ in range(3)]
    abandon_producer(producer)
    for future in sent:
        with pytest.raises(ProducerClosed):
            await future
