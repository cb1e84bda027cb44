"""What a process publishes to itself, told at once to whoever reads it there."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

from aiokafka import AIOKafkaConsumer, ConsumerRecord

WAITING_MILLISECONDS = 1_000
"""Records end the wait, and so does a stop; only a trouble of the group is seen this much later."""

TOLD_MILLISECONDS = 250
"""How long a reader that was told of arrivals looks for them: their fetch may be a slow one."""

BUSY_MILLISECONDS = 300
"""How long, without a pause, it looks for more of what nobody told it of."""

UNTOLD_MILLISECONDS = 10
"""How long for what may have come untold; a fetch that takes longer is of use to the next look."""


class Arriving:
    """For one reader of one topic: how many records it was told of and has not taken.

    A broker that wakes no waiting fetch has to be asked again and again, and every time costs
    it and us half a millisecond. So it is asked when there is something, and without a pause
    while others' records come; else after `untold_seconds` each, for others may have published.
    """

    def __init__(self, *, untold_seconds: float) -> None:
        self._untold_seconds = untold_seconds
        self._told = asyncio.Event()
        self._coming = 0
        """Records being published: some may be here before their publisher knows it."""
        self._due = 0
        """Less than none where records were taken that we are still to be told of."""
        self._is_busy = False

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

    async def next_batch(
        self, consumer: AIOKafkaConsumer, *, maximum_records: int | None = None
    ) -> tuple[ConsumerRecord, ...]:
        """Whatever is there; nothing after a while without. Nothing is fetched ahead of it."""
        told = self.is_due
        consumer.resume(*consumer.assignment())
        by_partition = await consumer.getmany(
            timeout_ms=self._look_milliseconds, max_records=maximum_records
        )
        consumer.pause(*consumer.assignment())
        records = tuple(chain.from_iterable(by_partition.values()))
        if records:
            self._took(len(records))
        else:
            self._is_busy = False
            if told:
                self._nothing_there()
            # Told of something during a short look, which it came too late for: no waiting then.
            await self._wait()
        return records

    @property
    def _look_milliseconds(self) -> int:
        if self._is_busy:
            return BUSY_MILLISECONDS
        return TOLD_MILLISECONDS if self.is_due else UNTOLD_MILLISECONDS

    def _took(self, records: int) -> None:
        # More than our process publishes: others do, and may go on.
        self._is_busy = records > self._due + self._coming
        self._set(self._due - records)

    def _nothing_there(self) -> None:
        """What was told of went to another reader of the topic."""
        self._set(min(self._due, 0))

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self._untold_seconds):
                await self._told.wait()
        except TimeoutError:
            return

    def _set(self, due: int) -> None:
        self._due = max(due, -self._coming)
        if self.is_due:
            self._told.set()
        else:
            self._told.clear()


async def next_batch(
    consumer: AIOKafkaConsumer, arriving: Arriving | None, *, maximum_records: int | None = None
) -> tuple[ConsumerRecord, ...]:
    """Whatever is there as soon as anything is; nothing after a while without."""
    if arriving is not None:
        return await arriving.next_batch(consumer, maximum_records=maximum_records)
    by_partition = await consumer.getmany(
        timeout_ms=WAITING_MILLISECONDS, max_records=maximum_records
    )
    return tuple(chain.from_iterable(by_partition.values()))


class Arrivals:
    """For a broker that wakes no waiting fetch. Of what others publish nothing is known here."""

    def __init__(self) -> None:
        self._readers: dict[str, list[Arriving]] = {}

    def at(self, physical_topic: str, *, untold_seconds: float) -> Arriving:
        arriving = Arriving(untold_seconds=untold_seconds)
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
