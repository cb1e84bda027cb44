"""Consumer of one topic: undecoded batches, each committed or wound back as a whole."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import structlog
from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.errors import ConsumerStoppedError, KafkaError
from aiokafka.partitioner import DefaultPartitioner
from faststream.exceptions import NackMessage
from faststream.kafka import KafkaBroker

from palimpsest.events.topics import Topic
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.abandon_clients import abandon_consumer
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.delivery.faststream_adapter import (
    BatchMessage,
    RecordBatch,
    abandon_subscriber,
    subscribe_to_batches,
)
from palimpsest_server.delivery.in_flight_batch import BatchDropped, InFlightBatch
from palimpsest_server.delivery.in_process_feed import fetch_next_batch
from palimpsest_server.delivery.kafka_records import KafkaRecord
from palimpsest_server.delivery.offset_commits import OffsetCommitter
from palimpsest_server.delivery.reading_progress import ReadingProgress
from palimpsest_server.delivery.shutdown import CLOSING_SECONDS, close_within
from palimpsest_server.delivery.supervisor import Supervisor

BatchReceiver = Callable[[Sequence[KafkaRecord]], Awaitable[None]]
"""Returns when all records are dealt with; raises BatchDropped if they must be delivered again."""

ANNOUNCED_FETCH_WAIT_MILLISECONDS = 5
"""Longest wait of the broker if arrivals are announced, because an idle fetch delays the next one."""

_log = structlog.get_logger("palimpsest.bus")


class TopicConsumer:
    """Reads one topic in the service's group, from the first uncommitted record."""

    def __init__(
        self,
        broker: KafkaBroker,
        topic: Topic,
        take: BatchReceiver,
        *,
        in_flight: InFlightBatch,
        progress: ReadingProgress,
        group: str,
        settings: KafkaSettings,
        batch_interval_seconds: float = 0.0,
    ) -> None:
        """`batch_interval_seconds` is the minimum time between the beginnings of two batches."""
        self.topic = topic
        self._batch_interval_seconds = batch_interval_seconds
        self._next_at = 0.0
        """Event loop time from which the next batch may begin, in seconds."""
        self.in_flight = in_flight
        self._progress = progress
        self._group = group
        self._is_only_reader = settings.is_only_reader
        self._take = take
        self._physical = settings.physical(topic)
        self._patience_seconds = settings.revocation_patience_seconds
        self._maximum_records = settings.batch_maximum_records
        self._longest_fetch_milliseconds = settings.longest_fetch_milliseconds
        self._reading: AIOKafkaConsumer | None = None
        """The consumer that was read last."""
        self._committer = OffsetCommitter()
        self._backoff = Backoff(first_seconds=0.5, maximum_seconds=15)
        self._supervisor = Supervisor(f"the consumer of {topic.name}", backoff=self._backoff)
        self._feed_reader = settings.feed_reader(topic)
        fetch_milliseconds = settings.fetch_maximum_wait_milliseconds
        if self._feed_reader is not None and topic.is_internal:
            fetch_milliseconds = ANNOUNCED_FETCH_WAIT_MILLISECONDS
        self._subscriber = subscribe_to_batches(
            broker,
            topic,
            self._physical,
            partitions=settings.partitions_of(topic) if settings.is_only_reader else None,
            fetch=self._next_batch,
            parse=self._parse,
            handle=self._consume,
            group_id=group,
            auto_offset_reset="earliest",
            # Each user's partitions of several topics go to the same member.
            partition_assignment_strategy=(RangePartitionAssignor,),
            fetch_max_wait_ms=fetch_milliseconds,
            session_timeout_ms=settings.session_timeout_milliseconds,
            heartbeat_interval_ms=settings.session_timeout_milliseconds // 10,
            rebalance_timeout_ms=settings.rebalance_timeout_milliseconds,
            max_poll_interval_ms=settings.maximum_poll_interval_milliseconds,
            listener=_RebalanceListener(self._revoke, self._assign),
        )

    def started(self) -> None:
        """Begin with all partitions, if no group assigns them."""
        if self._is_only_reader:
            self._assign()

    async def stop(self) -> None:
        """Take no more batches, let the one in flight finish, leave the group."""
        await self._supervisor.stop()
        await self._commit()
        await self._subscriber.stop()

    def abandon(self) -> None:
        """Leave no task of the consumer behind, however far `stop` came."""
        self._committer.abandon()
        abandon_subscriber(self._subscriber)
        if self._reading is not None:
            # Even a completed close may have left a task that failed before.
            abandon_consumer(self._reading)
            self._reading = None

    async def measure_lag(self) -> int:
        """Count the records of assigned partitions that are not handled yet, without the batch in flight.

        Readiness depends on this measurement, and a consumer that stands still is replaced.

        Raises:
            KafkaError: Kafka does not answer, or the consumer was replaced meanwhile.
        """
        try:
            return await self._measure_lag()
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            # The cancellation is not ours: the consumer was abandoned during the request.
            raise KafkaError("the consumer was replaced") from error

    async def _measure_lag(self) -> int:
        consumer = self._subscriber.consumer
        if consumer is None or not (partitions := consumer.assignment()):
            return 0
        ends: dict[TopicPartition, int] = await consumer.end_offsets(list(partitions))
        lag = read = 0
        for partition, end in ends.items():
            position = await consumer.position(partition)
            lag += max(end - position, 0)
            read += position
        self._progress.note(lag=lag, position=read, is_busy=self.in_flight.is_busy)
        if self._progress.is_stalled:
            self._begin_replacement("it stands still")
        return lag

    async def check(self) -> None:
        """Check that the consumer reads the available records.

        Raises:
            TransientError: the consumer stands still, or is being replaced.
        """
        if self._progress.is_stalled or "replacement" in self._supervisor.running:
            seconds = self._progress.unread_seconds
            raise TransientError(
                f"{self._group} reads nothing of {self.topic.name}; what is next to be read has waited"
                f" for {seconds:.0f} s. Its consumer is made anew"
            )
        await self._supervisor.check()

    def owns(self, key: str) -> bool:
        """Return whether records of this key come to this consumer, as far as is known now."""
        consumer = self._subscriber.consumer
        if consumer is None:
            return False
        partitions = sorted(consumer.partitions_for_topic(self._physical) or ())
        if not partitions:
            return False
        number = DefaultPartitioner()(key.encode(), partitions, partitions)
        return TopicPartition(self._physical, number) in consumer.assignment()

    async def _next_batch(self, consumer: AIOKafkaConsumer) -> RecordBatch:
        """Return the next records, or nothing after a while without any."""
        self._reading = consumer
        now = asyncio.get_running_loop().time
        if self._next_at > now():
            await asyncio.sleep(self._next_at - now())
        try:
            records = await fetch_next_batch(
                consumer,
                self._feed_reader,
                maximum_records=self._maximum_records,
                maximum_milliseconds=self._longest_fetch_milliseconds,
            )
        except KafkaError as error:
            if type(error) is not KafkaError:
                raise
            # A plain KafkaError: a task of the consumer has ended, and it reads no more.
            self._begin_replacement(describe_error(error))
            raise ConsumerStoppedError from error
        if records:
            self._next_at = now() + self._batch_interval_seconds
        return records

    def _begin_replacement(self, why: str) -> None:
        if "replacement" not in self._supervisor.running:
            self._supervisor.start(
                "replacement", partial(self._replace_consumer, why), until_done=True
            )

    async def _replace_consumer(self, why: str) -> None:
        _log.warning("a consumer is made anew", topic=self.topic.name, error=why)
        self.in_flight.assigned = False
        failures = 0
        while True:
            await close_within(self._group, self._subscriber.stop, CLOSING_SECONDS)
            self.abandon()
            try:
                await self._subscriber.start()
            except (KafkaError, OSError) as failure:
                failures += 1
                _log.warning("not yet", topic=self.topic.name, error=describe_error(failure))
                await asyncio.sleep(self._backoff.delay(failures))
            else:
                self._progress.restart()
                self.started()
                return

    async def _parse(self, records: RecordBatch) -> BatchMessage:
        self.in_flight.begin()
        consumer = self._subscriber.consumer
        assert consumer is not None  # noqa: S101 - it has just given us the records
        return BatchMessage(
            records, consumer=consumer, in_flight=self.in_flight, committer=self._committer
        )

    async def _revoke(self) -> None:
        if self._feed_reader is not None:
            self._feed_reader.hold_back()
        await self.in_flight.revoke(self._patience_seconds)
        await self._commit()

    def _assign(self) -> None:
        if self._feed_reader is not None:
            self._feed_reader.begin_anew()
        self.in_flight.assign()

    async def _commit(self) -> None:
        if (consumer := self._subscriber.consumer) is not None:
            await self._committer.now(consumer)

    async def _consume(self, records: Sequence[KafkaRecord]) -> None:
        try:
            await self._take(records)
        except BatchDropped:
            raise NackMessage from None


class _RebalanceListener(ConsumerRebalanceListener):  # type: ignore[misc]
    def __init__(self, revoke: Callable[[], Awaitable[None]], assign: Callable[[], None]) -> None:
        self._revoke = revoke
        self._assign = assign

    async def on_partitions_revoked(self, _revoked: set[TopicPartition]) -> None:
        await self._revoke()

    async def on_partitions_assigned(self, _assigned: set[TopicPartition]) -> None:
        self._assign()
