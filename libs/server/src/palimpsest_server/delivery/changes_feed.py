"""The feed of `changes`, for caches and waiting callers: all partitions, no group."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.topics import CHANGES, CHANGES_MINIMUM_WAIT_MILLISECONDS
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.abandon_clients import abandon_consumer
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.delivery.event_decoder import decode_event
from palimpsest_server.delivery.event_encryption import EventEncryption
from palimpsest_server.delivery.in_process_feed import fetch_next_batch
from palimpsest_server.delivery.kafka_records import KafkaRecord
from palimpsest_server.delivery.stage_metrics import StageMetrics
from palimpsest_server.delivery.supervisor import Supervisor

ChangeListener = Callable[[ChangeSetAnnounced], Awaitable[None]]

_log = structlog.get_logger("palimpsest.changes")


class KafkaChangesFeed:
    """Calls every listener with each change announced since the feed was started.

    `start` notes the end of every partition, so no change announced after `start` is missed.
    Listeners are called one after another. If one fails, the failure is logged and the others go on.
    A change that is published twice is announced twice.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        metrics: StageMetrics,
        sealing: EventEncryption | None = None,
        supervisor: Supervisor | None = None,
    ) -> None:
        self._sealing = sealing
        self._settings = settings
        self._metrics = metrics
        self._backoff = Backoff(first_seconds=0.2, maximum_seconds=5)
        self._listeners: list[ChangeListener] = []
        self._consumer: AIOKafkaConsumer | None = None
        self._next: dict[TopicPartition, int] = {}
        """Next offset of each partition, for a new consumer if this one has to be replaced."""
        self._feed_reader = settings.feed_reader(CHANGES)
        self._supervisor = supervisor or Supervisor("the feed of changes")
        self._followers: set[str] = set()
        self._one_at_a_time = asyncio.Lock()

    @property
    def listened_to(self) -> bool:
        return bool(self._listeners)

    def listen(self, listener: ChangeListener) -> None:
        self._listeners.append(listener)

    async def start(self, follower: str) -> None:
        """Begin to read; returns once the end of every partition is known. Reading ends with the last follower.

        Raises:
            KafkaError: Kafka does not answer.
        """
        async with self._one_at_a_time:
            if not self._followers:
                await self._open()
                self._supervisor.start("reading", self._read)
            self._followers.add(follower)

    async def stop(self, follower: str) -> None:
        async with self._one_at_a_time:
            self._followers.discard(follower)
            if not self._followers:
                await self._end()

    async def _end(self) -> None:
        await self._supervisor.stop()
        await self._close()
        self._next.clear()
        if self._feed_reader is not None:
            self._feed_reader.begin_anew()

    async def check(self) -> None:
        """Check that the feed is being read.

        Raises:
            TransientError: it is not.
        """
        await self._supervisor.check()
        if not self._supervisor.running or self._consumer is None:
            raise TransientError("the feed of changes is not being read")

    async def _open(self) -> AIOKafkaConsumer:
        # Without a group, a subscription covers all partitions, and those added later.
        consumer = AIOKafkaConsumer(
            self._settings.physical(CHANGES),
            bootstrap_servers=self._settings.bootstrap_servers,
            **self._settings.security.options(),
            fetch_max_wait_ms=max(
                self._settings.fetch_maximum_wait_milliseconds, CHANGES_MINIMUM_WAIT_MILLISECONDS
            ),
            # A log that begins again behind our position, as after a restart of a volatile broker,
            # is read from its start, because none of it was seen.
            auto_offset_reset="earliest",
            enable_auto_commit=False,
        )
        try:
            await consumer.start()
            ends = await consumer.end_offsets(list(consumer.assignment()))
            for partition, end in ends.items():
                consumer.seek(partition, self._next.setdefault(partition, end))
        except BaseException:
            abandon_consumer(consumer)
            raise
        self._consumer = consumer
        return consumer

    async def _close(self) -> None:
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            try:
                await consumer.stop()
            finally:
                abandon_consumer(consumer)

    async def _read(self) -> None:
        failures = 0
        while True:
            try:
                records = await self._fetch()
            except Exception as error:  # noqa: BLE001 - whoever listens must hear again
                failures += 1
                if failures == 1:
                    _log.warning("changes can't be read", **describe_failure(error))
                await asyncio.sleep(self._backoff.delay(failures))
                continue
            failures = 0
            for record in records:
                await self._announce(record)

    async def _fetch(self) -> Sequence[KafkaRecord]:
        consumer = self._consumer or await self._open()
        try:
            records = await fetch_next_batch(consumer, self._feed_reader)
        except KafkaError:
            raise
        except Exception:
            # The error is not Kafka's: this consumer will not recover.
            await self._close()
            raise
        self._next |= {
            TopicPartition(record.topic, record.partition): record.offset + 1 for record in records
        }
        return records

    async def _announce(self, record: KafkaRecord) -> None:
        try:
            value = record.value
            if self._sealing is not None:
                value = await self._sealing.opened(value)
            change = decode_event(CHANGES, value)
        except Exception as error:  # noqa: BLE001 - one record's trouble is not the others'
            self._metrics.change_read("undecodable")
            _log.error("a change can't be read", **describe_failure(error))
            return
        if not isinstance(change, ChangeSetAnnounced):
            return
        for listener in self._listeners:
            try:
                await listener(change)
            except Exception as error:  # noqa: BLE001 - one listener's trouble is not the others'
                self._metrics.change_read("listener_failed")
                _log.error("a listener of changes failed", **describe_failure(error))
        self._metrics.change_read("read")
