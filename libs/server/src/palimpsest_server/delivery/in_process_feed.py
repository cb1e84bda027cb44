"""Feed of the records that a process publishes, for the readers in the same process.

For `BrokerLimit.NO_FETCH_WAKE_UP`. A publisher announces its records to the readers of its process and
delivers them straight into their buffers.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.errors import IllegalStateError

from palimpsest_server.delivery.local_record_buffer import LocalRecordBuffer

FETCH_MILLISECONDS = 1_000
"""Longest wait of a fetch, if the broker wakes waiting readers. Records and a stop end it earlier."""

BUSY_FETCH_MILLISECONDS = 300
"""Longest wait of one fetch while other processes keep publishing."""

IDLE_FETCH_MILLISECONDS = 10
"""Longest wait of one fetch with nothing announced. A slower fetch serves the next one."""

_SILENCE_SHARE = 1 / 40
"""The share of a silence that the record which ends it may wait for."""


@dataclass(frozen=True, kw_only=True)
class FeedTimes:
    """Times that the readers of a feed wait, and their interval between two questions to the broker."""

    announced_fetch_milliseconds: int = 250
    """Longest wait of one fetch while announced records are due: that fetch may be slow."""
    forced_fetch_seconds: float = 5.0
    """The broker is asked at least this often, however many records are delivered without it."""
    idle_poll_seconds: float | None = None
    """How often the broker is asked while nothing is announced; None for what each topic says."""
    quiet_poll_seconds: float = 0.4
    """The pause between two looks if other processes have long published nothing, so that we sleep."""


DEFAULT_FEED_TIMES = FeedTimes()


class InProcessFeedReader:
    """Reader of one topic that counts the records announced to it and not yet taken.

    Each fetch costs the broker and the reader half a millisecond or more. Records of this process
    are taken from its buffers. The broker is asked for what is missing between them, without a pause
    while other processes publish. After a fetch that found nothing it is asked again only after
    `idle_poll_seconds`, and less often the longer nothing was found.
    """

    def __init__(self, *, idle_poll_seconds: float, times: FeedTimes = DEFAULT_FEED_TIMES) -> None:
        self._times = times
        self._idle_poll_seconds = idle_poll_seconds
        self._announced = asyncio.Event()
        self._coming = 0
        """Records being published. The reader may take some before their publisher has finished."""
        self._due = 0
        """Records announced and not taken. Negative if records were taken before their announcement."""
        self._is_busy = False
        self._buffers: dict[TopicPartition, LocalRecordBuffer] = {}
        self._is_held_back = False
        self._fetched_at = 0.0
        """Event loop time of the last fetch, in seconds."""
        self._found_at = 0.0
        """Event loop time of the last fetch that found records, or of the assignment, in seconds."""
        self._may_have_more = True
        """True if the last fetch found records, or partitions were assigned since."""

    @property
    def is_due(self) -> bool:
        return self._due > 0

    def expect(self, records: int) -> None:
        """Count records that are being published; `announce` or `withdraw` follows."""
        self._coming += records

    def announce(self, records: int) -> None:
        """Count records that the broker has accepted."""
        self._coming -= records
        self._set(self._due + records)

    def withdraw(self, records: int) -> None:
        """Forget records whose publisher failed; the broker may have accepted them or not."""
        self._coming -= records
        self._set(self._due)

    def deliver(self, record: ConsumerRecord) -> None:
        """Buffer a record that the broker has accepted."""
        if self._is_held_back:
            return
        partition = TopicPartition(record.topic, record.partition)
        self._buffers.setdefault(partition, LocalRecordBuffer()).add(record)

    def hold_back(self) -> None:
        """Take nothing from the buffers while partitions are being assigned."""
        self._buffers.clear()
        self._is_held_back = True

    def begin_anew(self) -> None:
        """Empty the buffers after partitions were assigned or the reader stopped."""
        self._buffers.clear()
        self._is_held_back = False
        self._may_have_more = True
        self._found_at = _now()

    async def next_batch(
        self, consumer: AIOKafkaConsumer, *, maximum_records: int | None = None
    ) -> tuple[ConsumerRecord, ...]:
        """Return the next records, or nothing after a while. Nothing is fetched ahead."""
        must_fetch = self._must_fetch(consumer)
        if not must_fetch and (taken := await self._take_buffered(consumer, maximum_records)):
            return taken
        announced = self.is_due
        if not (announced or self._may_have_more) and (left := self._seconds_till_fetch()) > 0:
            await self._wait(left)
            return ()
        if fetched := await self._fetch(consumer, maximum_records):
            return fetched
        # A slow fetch is not waited for if records are buffered.
        if must_fetch and (taken := await self._take_buffered(consumer, maximum_records)):
            return taken
        self._is_busy = False
        if announced:
            self._forget_announced()
        # An announcement that came too late for a short fetch ends this wait at once.
        await self._wait(self._poll_seconds)
        return ()

    @property
    def _poll_seconds(self) -> float:
        return choose_poll_seconds(
            self._idle_poll_seconds,
            self._times.quiet_poll_seconds,
            silent_seconds=_now() - self._found_at,
        )

    def _seconds_till_fetch(self) -> float:
        return self._fetched_at + self._poll_seconds - _now()

    def _must_fetch(self, consumer: AIOKafkaConsumer) -> bool:
        """Return whether the broker is asked before the buffers.

        Records of other processes leave a gap in a partition that this process publishes to, and none
        in other partitions. An occasional fetch also raises errors of the group and shows its
        coordinator that this consumer is alive.
        """
        seconds = _now() - self._fetched_at
        is_one_of_many = len(consumer.assignment()) > 1
        return seconds > self._times.forced_fetch_seconds or (
            is_one_of_many and self._seconds_till_fetch() < 0
        )

    async def _take_buffered(
        self, consumer: AIOKafkaConsumer, maximum_records: int | None
    ) -> tuple[ConsumerRecord, ...]:
        """Take records from one partition, which then moves to the end of the line."""
        for partition, buffered in list(self._buffers.items()):
            try:
                async with asyncio.timeout(IDLE_FETCH_MILLISECONDS / 1000):
                    position = await consumer.position(partition)
            except IllegalStateError:
                # Another member of the group owns it.
                self._buffers.pop(partition, None)
                continue
            except TimeoutError:
                continue
            if self._buffers.get(partition) is not buffered:
                # Partitions were assigned while the position was awaited.
                continue
            if taken := buffered.take(position, maximum_records):
                consumer.seek(partition, taken[-1].offset + 1)
                self._buffers[partition] = self._buffers.pop(partition)
                self._set(self._due - len(taken))
                return tuple(taken)
        return ()

    async def _fetch(
        self, consumer: AIOKafkaConsumer, maximum_records: int | None
    ) -> tuple[ConsumerRecord, ...]:
        # Partitions assigned during the fetch were not part of it.
        self._may_have_more = False
        consumer.resume(*consumer.assignment())
        by_partition = await consumer.getmany(
            timeout_ms=self._fetch_milliseconds, max_records=maximum_records
        )
        consumer.pause(*consumer.assignment())
        self._fetched_at = _now()
        records = tuple(chain.from_iterable(by_partition.values()))
        if records:
            self._may_have_more = True
            self._found_at = self._fetched_at
            # There are more records than this process published, so other processes publish and may go on.
            self._is_busy = len(records) > self._due + self._coming
            self._set(self._due - len(records))
        return records

    @property
    def _fetch_milliseconds(self) -> int:
        if self._is_busy:
            return BUSY_FETCH_MILLISECONDS
        return self._times.announced_fetch_milliseconds if self.is_due else IDLE_FETCH_MILLISECONDS

    def _forget_announced(self) -> None:
        """Forget announced records that another reader of the topic took."""
        self._set(min(self._due, 0))

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._announced.wait()
        except TimeoutError:
            return

    def _set(self, due: int) -> None:
        self._due = max(due, -self._coming)
        if self.is_due:
            self._announced.set()
        else:
            self._announced.clear()


def choose_poll_seconds(shortest: float, longest: float, *, silent_seconds: float) -> float:
    """Return the time until the broker is asked again, by the time since a fetch found records."""
    return max(shortest, min(silent_seconds * _SILENCE_SHARE, longest))


async def fetch_next_batch(
    consumer: AIOKafkaConsumer,
    reader: InProcessFeedReader | None,
    *,
    maximum_records: int | None = None,
    maximum_milliseconds: int = FETCH_MILLISECONDS,
) -> tuple[ConsumerRecord, ...]:
    """Return records as soon as there are any, or nothing after a while.

    Args:
        consumer: a started consumer.
        reader: its reader of the in-process feed; None if the broker wakes waiting fetches.
        maximum_records: largest number of records; None for no limit.
        maximum_milliseconds: longest wait of a fetch, if the broker wakes waiting fetches.
    """
    if reader is not None:
        return await reader.next_batch(consumer, maximum_records=maximum_records)
    by_partition = await consumer.getmany(
        timeout_ms=maximum_milliseconds, max_records=maximum_records
    )
    return tuple(chain.from_iterable(by_partition.values()))


def _now() -> float:
    return asyncio.get_running_loop().time()


class InProcessFeed:
    """Announces and delivers the records that this process publishes to the readers in it."""

    def __init__(self, times: FeedTimes = DEFAULT_FEED_TIMES) -> None:
        self._times = times
        self._readers: dict[str, list[InProcessFeedReader]] = {}

    def add_reader(self, physical_topic: str, *, idle_poll_seconds: float) -> InProcessFeedReader:
        """Add a reader of this topic.

        Args:
            physical_topic: the topic's name in Kafka.
            idle_poll_seconds: how often the broker is asked while nothing is announced.
        """
        if self._times.idle_poll_seconds is not None:
            idle_poll_seconds = self._times.idle_poll_seconds
        reader = InProcessFeedReader(idle_poll_seconds=idle_poll_seconds, times=self._times)
        self._readers.setdefault(physical_topic, []).append(reader)
        return reader

    @contextmanager
    def publishing(self, physical_topic: str, records: int) -> Iterator[None]:
        """Announce records to the readers of the topic once the block has published them."""
        readers = self._readers.get(physical_topic, ())
        for reader in readers:
            reader.expect(records)
        try:
            yield
        except BaseException:
            for reader in readers:
                reader.withdraw(records)
            raise
        for reader in readers:
            reader.announce(records)

    def deliver(self, record: ConsumerRecord) -> None:
        """Buffer a record that the broker has accepted; it is announced when its publisher has finished."""
        for reader in self._readers.get(record.topic, ()):
            reader.deliver(record)
