"""What a process publishes to itself, told at once to whoever reads it there."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.errors import IllegalStateError

from palimpsest_server.delivery.local_record_buffer import LocalRecordBuffer

WAITING_MILLISECONDS = 1_000
"""Records end the wait, and so does a stop; only a trouble of the group is seen this much later."""

TOLD_MILLISECONDS = 250
"""How long a reader that was told of arrivals looks for them: their fetch may be a slow one."""

BUSY_MILLISECONDS = 300
"""How long, without a pause, it looks for more of what nobody told it of."""

UNTOLD_MILLISECONDS = 10
"""How long for what may have come untold; a fetch that takes longer is of use to the next look."""

LOOKING_SECONDS = 5.0
"""So often the broker is asked, however much is handed over without it."""


class InProcessFeedReader:
    """For one reader of one topic: how many records it was told of and has not taken.

    A broker that wakes no waiting fetch has to be asked again and again, and every time costs
    it and us half a millisecond or more. So what this process published is handed over, and the
    broker asked for what is missing in between, and without a pause while others' records come;
    where it had none, not before `untold_seconds` are over, for others may have published.
    """

    def __init__(self, *, untold_seconds: float) -> None:
        self._untold_seconds = untold_seconds
        self._told = asyncio.Event()
        self._coming = 0
        """Records being published: some may be here before their publisher knows it."""
        self._due = 0
        """Less than none where records were taken that we are still to be told of."""
        self._is_busy = False
        self._handed_over: dict[TopicPartition, LocalRecordBuffer] = {}
        self._is_held_back = False
        self._looked_at = 0.0
        """When the broker was last asked, in the event loop's seconds."""
        self._may_have_more = True
        """What nobody tells of: it was not asked since partitions came, or had something then."""

    @property
    def is_due(self) -> bool:
        return self._due > 0

    def expect(self, records: int) -> None:
        """They are being published; `tell` or `give_up` follows."""
        self._coming += records

    def tell(self, records: int) -> None:
        self._coming -= records
        self._set(self._due + records)

    def give_up(self, records: int) -> None:
        """They may have been published all the same, or not."""
        self._coming -= records
        self._set(self._due)

    def hand_over(self, record: ConsumerRecord) -> None:
        """The broker has taken it."""
        if self._is_held_back:
            return
        partition = TopicPartition(record.topic, record.partition)
        self._handed_over.setdefault(partition, LocalRecordBuffer()).add(record)

    def hold_back(self) -> None:
        """Take nothing without the broker, which lets nobody read while it gives out partitions."""
        self._handed_over.clear()
        self._is_held_back = True

    def begin_anew(self) -> None:
        """Partitions have come or gone, or nobody reads: what was handed over is nobody's."""
        self._handed_over.clear()
        self._is_held_back = False
        self._may_have_more = True

    async def next_batch(
        self, consumer: AIOKafkaConsumer, *, maximum_records: int | None = None
    ) -> tuple[ConsumerRecord, ...]:
        """Whatever is there; nothing after a while without. Nothing is fetched ahead of it."""
        must_look = self._must_look(consumer)
        if not must_look and (taken := await self._taken_over(consumer, maximum_records)):
            return taken
        told = self.is_due
        if not (told or self._may_have_more) and (left := self._seconds_till_a_look()) > 0:
            await self._wait(left)
            return ()
        if fetched := await self._fetched(consumer, maximum_records):
            return fetched
        # A slow fetch is not waited for where something is here.
        if must_look and (taken := await self._taken_over(consumer, maximum_records)):
            return taken
        self._is_busy = False
        if told:
            self._nothing_there()
        # Told of something during a short look, which it came too late for: no waiting then.
        await self._wait(self._untold_seconds)
        return ()

    def _seconds_till_a_look(self) -> float:
        return self._looked_at + self._untold_seconds - _now()

    def _must_look(self, consumer: AIOKafkaConsumer) -> bool:
        """Others' records leave a gap in a partition that we publish to, and none in another.

        And a look now and then has the group's troubles raised, and shows its coordinator that
        this consumer is alive.
        """
        seconds = _now() - self._looked_at
        is_one_of_many = len(consumer.assignment()) > 1
        return seconds > LOOKING_SECONDS or (is_one_of_many and self._seconds_till_a_look() < 0)

    async def _taken_over(
        self, consumer: AIOKafkaConsumer, maximum_records: int | None
    ) -> tuple[ConsumerRecord, ...]:
        """From one partition, whose turn is over then."""
        for partition, handed_over in list(self._handed_over.items()):
            try:
                async with asyncio.timeout(UNTOLD_MILLISECONDS / 1000):
                    position = await consumer.position(partition)
            except IllegalStateError:
                # It is somebody else's.
                self._handed_over.pop(partition, None)
                continue
            except TimeoutError:
                continue
            if self._handed_over.get(partition) is not handed_over:
                # Partitions were given out while it was not known.
                continue
            if taken := handed_over.take(position, maximum_records):
                consumer.seek(partition, taken[-1].offset + 1)
                # Behind the others.
                self._handed_over[partition] = self._handed_over.pop(partition)
                self._set(self._due - len(taken))
                return tuple(taken)
        return ()

    async def _fetched(
        self, consumer: AIOKafkaConsumer, maximum_records: int | None
    ) -> tuple[ConsumerRecord, ...]:
        # Partitions may come while it looks, and are not looked at by then.
        self._may_have_more = False
        consumer.resume(*consumer.assignment())
        by_partition = await consumer.getmany(
            timeout_ms=self._look_milliseconds, max_records=maximum_records
        )
        consumer.pause(*consumer.assignment())
        self._looked_at = _now()
        records = tuple(chain.from_iterable(by_partition.values()))
        if records:
            self._may_have_more = True
            # More than our process publishes: others do, and may go on.
            self._is_busy = len(records) > self._due + self._coming
            self._set(self._due - len(records))
        return records

    @property
    def _look_milliseconds(self) -> int:
        if self._is_busy:
            return BUSY_MILLISECONDS
        return TOLD_MILLISECONDS if self.is_due else UNTOLD_MILLISECONDS

    def _nothing_there(self) -> None:
        """What was told of went to another reader of the topic."""
        self._set(min(self._due, 0))

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._told.wait()
        except TimeoutError:
            return

    def _set(self, due: int) -> None:
        self._due = max(due, -self._coming)
        if self.is_due:
            self._told.set()
        else:
            self._told.clear()


async def fetch_next_batch(
    consumer: AIOKafkaConsumer,
    arriving: InProcessFeedReader | None,
    *,
    maximum_records: int | None = None,
) -> tuple[ConsumerRecord, ...]:
    """Whatever is there as soon as anything is; nothing after a while without."""
    if arriving is not None:
        return await arriving.next_batch(consumer, maximum_records=maximum_records)
    by_partition = await consumer.getmany(
        timeout_ms=WAITING_MILLISECONDS, max_records=maximum_records
    )
    return tuple(chain.from_iterable(by_partition.values()))


def _now() -> float:
    return asyncio.get_running_loop().time()


class InProcessFeed:
    """For a broker that wakes no waiting fetch. Of what others publish nothing is known here."""

    def __init__(self) -> None:
        self._readers: dict[str, list[InProcessFeedReader]] = {}

    def at(self, physical_topic: str, *, untold_seconds: float) -> InProcessFeedReader:
        arriving = InProcessFeedReader(untold_seconds=untold_seconds)
        self._readers.setdefault(physical_topic, []).append(arriving)
        return arriving

    @contextmanager
    def publishing(self, physical_topic: str, records: int) -> Iterator[None]:
        """Around it; when it is done the readers are told."""
        readers = self._readers.get(physical_topic, ())
        for arriving in readers:
            arriving.expect(records)
        try:
            yield
        except BaseException:
            for arriving in readers:
                arriving.give_up(records)
            raise
        for arriving in readers:
            arriving.tell(records)

    def hand_over(self, record: ConsumerRecord) -> None:
        """What the broker took, to be told of when its publisher has finished."""
        for arriving in self._readers.get(record.topic, ()):
            arriving.hand_over(record)
