"""Abandon Kafka clients: end all of their tasks at once, whatever state Kafka is in.

A client that is being closed waits for a Kafka that is away, and a close that is given up leaves tasks
behind. Such a consumer joins its group again as soon as Kafka is back. It then holds partitions that
nobody reads, while the consumer that took its place has none and looks well. So every client is
abandoned after its close, and whatever the close left running ends here.

aiokafka has no public way to do this. `tests/server/delivery/test_abandon_clients.py` fails when an
upgrade adds a task that outlives these functions.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.client import AIOKafkaClient
from aiokafka.errors import ProducerClosed

_COORDINATOR_TASKS = (
    *("_coordination_task", "_heartbeat_task", "_commit_refresh_task"),
    "_reset_committed_task",
)


def abandon_consumer(consumer: AIOKafkaConsumer) -> None:
    """End the consumer's tasks. Its group notices when the session expires."""
    consumer._closed = True  # noqa: SLF001 - see the module
    coordinator, fetcher = consumer._coordinator, consumer._fetcher  # noqa: SLF001
    _cancel(getattr(coordinator, name, None) for name in _COORDINATOR_TASKS)
    if fetcher is not None:
        _cancel([fetcher._fetch_task, *fetcher._pending_tasks])  # noqa: SLF001
    _abandon_client(consumer._client)  # noqa: SLF001


def abandon_producer(producer: AIOKafkaProducer) -> None:
    """End the producer's tasks. Unsent records fail with ProducerClosed at once."""
    producer._closed = True  # noqa: SLF001 - see the module
    accumulator = producer._message_accumulator  # noqa: SLF001
    for batches in accumulator._batches.values():  # noqa: SLF001
        for batch in batches:
            batch.future.add_done_callback(lambda failed: failed.cancelled() or failed.exception())
    accumulator.fail_all(ProducerClosed())
    if producer._sender is not None:  # noqa: SLF001
        _cancel([producer._sender.sender_task])  # noqa: SLF001
    _abandon_client(producer.client)


def abandon_admin(admin: AIOKafkaAdminClient) -> None:
    _abandon_client(admin._client)  # noqa: SLF001 - see the module


def _abandon_client(client: AIOKafkaClient) -> None:
    _cancel([client._sync_task])  # noqa: SLF001 - see the module
    for connection in [*client._conns.values()]:  # noqa: SLF001
        connection.close()


def _cancel(tasks: Iterable[asyncio.Task[Any] | None]) -> None:
    for task in tasks:
        if task is not None:
            task.cancel()
            # Nobody reads the outcome, which asyncio would complain of.
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
