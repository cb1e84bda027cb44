"""Adapter to FastStream: the places that need more than FastStream offers publicly.

Everything else uses FastStream's public interface. Four places cannot:

- `subscribe_to_batches` replaces the subscriber's `get_msg`. A batch subscriber polls, and sleeps as
  long again after a poll that brought nothing, whether records arrived or not. Its only arguments are
  the length of a poll and the number of records. A short poll wakes the process 100 times a second. A
  long one delays the first record after a silence. Middleware and parsers only see a batch that was
  polled already, and `broker.subscriber` builds the subscriber's class itself.
- `BatchMessage` sets `committed`. FastStream commits the consumer's position after every batch. Here
  the offsets of several batches are committed at once, and the batch in flight has to know when it
  was acknowledged or wound back. A parser may return a message class of its own, but `ack` commits
  unless `committed` is set.
- `flush_producer` cancels the task that sends. Closing a producer waits 40 seconds for a Kafka that
  is gone, and neither FastStream nor aiokafka has a way to give up what is unsent.
- `abandon_subscriber` and `abandon_broker` end the tasks of clients that were not closed in time.

`tests/server/delivery/test_faststream_adapter.py` fails when an upgrade changes what is relied on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from faststream.kafka import KafkaBroker
from faststream.kafka import Topic as DeclaredTopic
from faststream.kafka import TopicPartition as DeclaredPartition
from faststream.kafka.message import KafkaAckableMessage
from faststream.kafka.publisher.producer import AioKafkaFastProducerImpl
from faststream.kafka.publisher.state import EmptyProducerState
from faststream.message import AckStatus

from palimpsest.events.topics import Topic
from palimpsest_server.delivery.abandon_clients import (
    abandon_admin,
    abandon_consumer,
    abandon_producer,
)
from palimpsest_server.delivery.in_flight_batch import InFlightBatch
from palimpsest_server.delivery.offset_commits import OffsetCommitter

if TYPE_CHECKING:
    from faststream.kafka.subscriber.usecase import BatchSubscriber

RecordBatch: TypeAlias = tuple[ConsumerRecord, ...]


class BatchMessage(KafkaAckableMessage):
    """A batch of records that reports to `InFlightBatch` when it is acknowledged or wound back."""

    def __init__(
        self,
        records: RecordBatch,
        *,
        consumer: AIOKafkaConsumer,
        in_flight: InFlightBatch,
        committer: OffsetCommitter,
    ) -> None:
        super().__init__(body=b"", raw_message=records, consumer=consumer)
        self._in_flight = in_flight
        self._committer = committer

    async def ack(self) -> None:
        try:
            if not self.committed:
                self._committer.note(self.consumer, _next_offsets(self.raw_message))
                self.committed = AckStatus.ACKED
            await super().ack()
            if self._in_flight.is_revoked:
                await self._committer.now(self.consumer)
        finally:
            self._in_flight.done()

    async def nack(self) -> None:
        try:
            await super().nack()
        finally:
            self._in_flight.done()


def subscribe_to_batches(
    broker: KafkaBroker,
    topic: Topic,
    physical_name: str,
    *,
    partitions: int | None = None,
    fetch: Callable[[AIOKafkaConsumer], Awaitable[RecordBatch]],
    parse: Callable[[RecordBatch], Awaitable[BatchMessage]],
    handle: Callable[[Sequence[ConsumerRecord]], Awaitable[None]],
    **options: Any,
) -> "BatchSubscriber":
    """Subscribe a handler to batches of undecoded records.

    Records are decoded by the handler, one by one, so that a broken record spoils no other. The
    subscriber describes the topic and its models in the AsyncAPI document.

    Args:
        broker: the broker of the service, not started.
        topic: the topic as the table of topics describes it.
        physical_name: its name in Kafka. `delivery.topic_creation` makes it, not FastStream.
        partitions: read all of these without a group's assignment; None to share them in the group.
        fetch: returns the next batch, or nothing after a while. Called in a loop.
        parse: makes the message of a batch, which is acknowledged when `handle` returns.
        handle: takes a batch; raises `NackMessage` to have it wound back.
        options: more arguments of `KafkaBroker.subscriber`.
    """
    shared = [DeclaredTopic(physical_name, declare=False)] if partitions is None else []
    subscriber: BatchSubscriber = broker.subscriber(
        *shared,
        partitions=[
            DeclaredPartition(physical_name, number, declare=False)
            for number in range(partitions or 0)
        ],
        batch=True,
        title=topic.name,
        description=describe_topic(topic),
        # No outsider decides where replies go.
        no_reply=True,
        parser=parse,
        decoder=_keep_undecoded,
        **options,
    )
    subscriber.get_msg = fetch  # type: ignore[assignment,method-assign]
    subscriber(_describe_records(topic, handle))
    return subscriber


def describe_topic(topic: Topic) -> str:
    """Describe a topic for the AsyncAPI document."""
    return (
        f"{topic.description} Keyed by `user_id`. Written by {', '.join(topic.writers)};"
        f" read by {', '.join(topic.readers)}."
    )


def unite_models(topic: Topic) -> Any:
    """Return the union of the models that travel on a topic."""
    return Union[topic.models]  # noqa: UP007 - made from a tuple


async def flush_producer(broker: KafkaBroker) -> None:
    """Wait until everything is sent. If this is cancelled, unsent records are given up."""
    producer = broker.config.producer
    if not isinstance(producer, AioKafkaFastProducerImpl):
        return
    try:
        await producer.flush()
    except asyncio.CancelledError:
        producer._producer.producer._sender.sender_task.cancel()  # noqa: SLF001
        raise


def abandon_broker(broker: KafkaBroker) -> None:
    """Give up unsent records, and leave no task behind. The broker can be connected again."""
    producer, admin = broker.config.producer, broker.config.admin
    if isinstance(producer, AioKafkaFastProducerImpl) and producer:
        abandon_producer(producer._producer.producer)  # noqa: SLF001
        producer._producer = EmptyProducerState()  # noqa: SLF001
    if admin.admin_client is not None:
        abandon_admin(admin.admin_client)
        admin.admin_client = None
    # A cancelled stop leaves it set, and the next connect would make no producer.
    broker._connection = None  # noqa: SLF001


def abandon_subscriber(subscriber: "BatchSubscriber") -> None:
    """Take no more batches, and leave no task of the consumer behind."""
    subscriber.running = False
    for task in subscriber.tasks:
        task.cancel()
    subscriber.tasks.clear()
    consumer, subscriber.consumer = subscriber.consumer, None
    if consumer is not None:
        abandon_consumer(consumer)


def _describe_records(
    topic: Topic, handle: Callable[[Sequence[ConsumerRecord]], Awaitable[None]]
) -> Callable[[Any], Awaitable[None]]:
    """Give the handler the annotation that FastStream describes; nothing is validated by it."""

    async def take_records(records: Any) -> None:
        await handle(records)

    take_records.__annotations__ = {"records": unite_models(topic), "return": None}
    return take_records


async def _keep_undecoded(message: KafkaAckableMessage) -> Any:
    return message.raw_message


def _next_offsets(records: Iterable[ConsumerRecord]) -> dict[TopicPartition, int]:
    """Return the offset after the last record of each partition, whose records come in order."""
    return {TopicPartition(record.topic, record.partition): record.offset + 1 for record in records}
