"""What the adapter relies on in the installed FastStream and aiokafka, beyond their public interfaces."""

import asyncio
import inspect
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRecord, TopicPartition
from aiokafka.structs import OffsetAndMetadata
from faststream import AckPolicy
from faststream.kafka import KafkaBroker
from faststream.kafka.message import KafkaAckableMessage
from faststream.kafka.publisher.producer import AioKafkaFastProducerImpl
from faststream.kafka.publisher.state import RealProducer
from faststream.kafka.subscriber.usecase import BatchSubscriber, LogicSubscriber
from faststream.message import AckStatus

from palimpsest.events.topics import CONVERSATIONS
from palimpsest_server.delivery.faststream_adapter import (
    BatchMessage,
    RecordBatch,
    flush_producer,
    subscribe_to_batches,
)
from palimpsest_server.delivery.in_flight_batch import InFlightBatch
from palimpsest_server.delivery.offset_commits import OffsetCommitter


class RecordingConsumer:
    """Notes what is committed and where it is wound back to."""

    def __init__(self) -> None:
        self.committed: list[Any] = []
        self.wound_back: list[tuple[TopicPartition, int]] = []

    async def commit(self, offsets: Any = None) -> None:
        self.committed.append(offsets)

    def seek(self, partition: TopicPartition, offset: int) -> None:
        self.wound_back.append((partition, offset))


class StalledProducer:
    """Looks like aiokafka's producer to a Kafka that is gone: it never finishes sending."""

    class Sender:
        def __init__(self) -> None:
            self.sender_task = asyncio.create_task(asyncio.Event().wait())

    def __init__(self) -> None:
        self._sender = self.Sender()

    async def start(self) -> None: ...

    async def flush(self) -> None:
        await asyncio.Event().wait()


def record(offset: int, partition: int = 0) -> ConsumerRecord:
    return ConsumerRecord("t", partition, offset, 0, 0, b"u", b"{}", None, 1, 2, ())


async def never(_: Any) -> Any:
    pytest.fail("nothing is read here")


def message(consumer: RecordingConsumer, in_flight: InFlightBatch, *offsets: int) -> BatchMessage:
    in_flight.begin()
    return BatchMessage(
        tuple(map(record, offsets)),
        consumer=consumer,
        in_flight=in_flight,
        committer=OffsetCommitter(),
    )


def parameters(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


async def test_the_consume_loop_asks_the_replaced_method_for_each_batch() -> None:
    batches: list[RecordBatch] = [(record(0),), (), (record(1),)]
    handled: list[Any] = []
    subscriber = subscribe_to_batches(
        KafkaBroker(apply_types=False), CONVERSATIONS, "t", fetch=never, parse=never, handle=never
    )
    assert isinstance(subscriber, BatchSubscriber)

    async def fetch(_: AIOKafkaConsumer) -> RecordBatch:
        if len(batches) == 1:
            subscriber.running = False
        return batches.pop(0)

    async def consume(batch: Any) -> None:
        handled.append(batch)

    subscriber.get_msg = fetch  # type: ignore[assignment,method-assign]
    subscriber.consume_one = consume  # type: ignore[assignment,method-assign]
    subscriber.running = True
    await subscriber._run_consume_loop(object())
    assert [[each.offset for each in batch] for batch in handled] == [[0], [1]]


def test_the_method_that_is_replaced_is_still_the_one_that_polls() -> None:
    assert parameters(BatchSubscriber.get_msg) == ["consumer"]
    assert inspect.iscoroutinefunction(BatchSubscriber.get_msg)
    assert "self.get_msg(consumer)" in inspect.getsource(LogicSubscriber._run_consume_loop)
    # Were there an argument for polling, the replacement could go.
    polling = {name for name in parameters(KafkaBroker.subscriber) if "poll" in name}
    assert polling == {"max_poll_records", "max_poll_interval_ms"}


async def test_an_acknowledged_batch_is_committed_by_us_alone() -> None:
    consumer, in_flight = RecordingConsumer(), InFlightBatch()
    batch = message(consumer, in_flight, 3, 4)
    await batch.ack()
    assert batch.committed is AckStatus.ACKED
    assert consumer.committed == []
    await asyncio.wait_for(in_flight.revoke(300), 60)
    await batch._committer.now(consumer)
    assert consumer.committed == [{TopicPartition("t", 0): 5}]


async def test_a_batch_that_failed_is_wound_back_to_its_first_record() -> None:
    consumer, in_flight = RecordingConsumer(), InFlightBatch()
    await message(consumer, in_flight, 3, 4).nack()
    assert consumer.wound_back == [(TopicPartition("t", 0), 3)]
    assert consumer.committed == []
    await asyncio.wait_for(in_flight.revoke(300), 60)


async def test_a_plain_message_would_commit_by_itself() -> None:
    # Where FastStream stopped doing so, `BatchMessage` could be simpler.
    consumer = RecordingConsumer()
    await KafkaAckableMessage(body=b"", raw_message=(record(0),), consumer=consumer).ack()
    assert consumer.committed == [None]


async def test_flushing_that_is_cancelled_stops_the_sender() -> None:
    broker = KafkaBroker(ack_policy=AckPolicy.NACK_ON_ERROR)
    producer, stalled = broker.config.producer, StalledProducer()
    assert isinstance(producer, AioKafkaFastProducerImpl)
    await producer.connect(stalled, serializer=None)
    assert isinstance(producer._producer, RealProducer)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await flush_producer(broker)
    with pytest.raises(asyncio.CancelledError):
        await stalled._sender.sender_task


async def test_the_client_library_keeps_its_sending_task_where_it_is_cancelled() -> None:
    assert "sender_task" in inspect.getsource(type(AIOKafkaProducer()._sender))
    assert OffsetAndMetadata._fields == ("offset", "metadata")
