"""What a reader is handed by its own process comes as the log has it: all, once, in its order."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Any, cast

import pytest
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.errors import IllegalStateError
from aiokafka.structs import RecordMetadata
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.delivery.in_process_feed import FeedTimes, InProcessFeed
from palimpsest_server.delivery.local_record_buffer import (
    IN_FLIGHT,
    RECORD_BYTES,
    LocalRecordBuffer,
    build_consumer_record,
)

TOPIC = "candidates"

LOOKS = 10
"""More than are needed to find whatever is there."""

NEVER_SECONDS = 1e12


def record(offset: int, *, partition: int = 0, size: int = 1) -> ConsumerRecord:
    at = RecordMetadata(
        TOPIC, partition, TopicPartition(TOPIC, partition), offset, 1_700_000_000_000, 0, None
    )
    return build_consumer_record(at, b"ana", b"x" * size, {"event-type": "TurnStored"})


def offsets(records: list[ConsumerRecord]) -> list[int]:
    return [one.offset for one in records]


@pytest.mark.parametrize(
    ("added", "position", "maximum", "taken"),
    [
        pytest.param([4, 5, 6], 4, None, [4, 5, 6], id="all that follows"),
        pytest.param([4, 5, 6], 4, 2, [4, 5], id="no more than asked for"),
        pytest.param([4, 5, 6], 6, None, [6], id="what was read already is let go of"),
        pytest.param([4, 5, 6], 3, None, [], id="somebody else's is before them"),
        pytest.param([4, 6, 7], 4, None, [4], id="somebody else's is between them"),
        pytest.param([4, 5], 9, None, [], id="all of it was fetched meanwhile"),
        pytest.param([7, 8, 0, 1], 0, None, [0, 1], id="the log begins again"),
        pytest.param([0, 1, 0, 1], 0, None, [0, 1], id="the log begins again at once"),
    ],
)
def test_what_follows_the_position_without_a_gap_is_taken(
    added: list[int], position: int, maximum: int | None, taken: list[int]
) -> None:
    buffer = LocalRecordBuffer()
    for offset in added:
        buffer.add(record(offset))
    assert offsets(buffer.take(position, maximum)) == taken


def test_the_rest_is_taken_the_next_time() -> None:
    buffer = LocalRecordBuffer()
    for offset in range(5):
        buffer.add(record(offset))
    assert offsets(buffer.take(0, 3)) == [0, 1, 2]
    assert offsets(buffer.take(3)) == [3, 4]
    assert buffer.take(5) == []


def test_more_than_fits_is_left_to_the_broker() -> None:
    buffer = LocalRecordBuffer(maximum_bytes=2 * (RECORD_BYTES + 100))
    for offset in range(5):
        buffer.add(record(offset, size=50))
    assert offsets(buffer.take(0)) == [0, 1]
    buffer.add(record(5))
    assert buffer.take(2) == []
    assert offsets(buffer.take(5)) == [5]


def test_what_several_producers_were_acknowledged_in_another_order_is_in_the_logs() -> None:
    buffer = LocalRecordBuffer()
    for offset in (1, 0, 2, 4, 3):
        buffer.add(record(offset))
    assert offsets(buffer.take(0)) == [0, 1, 2, 3, 4]


def test_a_log_that_begins_again_far_behind_is_another_log() -> None:
    buffer = LocalRecordBuffer()
    for offset in (*range(5_000, 5_000 + IN_FLIGHT + 1), 0):
        buffer.add(record(offset))
    assert offsets(buffer.take(5_000)) == []


def test_a_record_is_as_if_it_had_been_fetched() -> None:
    one = record(7, size=3)
    assert (one.topic, one.partition, one.offset) == (TOPIC, 0, 7)
    assert (one.key, one.value, one.serialized_value_size) == (b"ana", b"xxx", 3)
    assert one.headers == (("event-type", b"TurnStored"),)


class Log:
    """A consumer of partitions that are lists of offsets; what is paused brings nothing."""

    def __init__(self, partitions: int) -> None:
        self.ends = dict.fromkeys((TopicPartition(TOPIC, n) for n in range(partitions)), 0)
        self.positions = dict.fromkeys(self.ends, 0)
        self._paused: set[TopicPartition] = set()
        self.fetches = 0

    def append(self, partition: int) -> ConsumerRecord:
        where = TopicPartition(TOPIC, partition)
        self.ends[where] += 1
        return record(self.ends[where] - 1, partition=partition)

    def assignment(self) -> set[TopicPartition]:
        return set(self.positions)

    def pause(self, *partitions: TopicPartition) -> None:
        self._paused |= set(partitions)

    def resume(self, *partitions: TopicPartition) -> None:
        self._paused -= set(partitions)

    async def position(self, partition: TopicPartition) -> int:
        if partition not in self.positions:
            raise IllegalStateError
        return self.positions[partition]

    def seek(self, partition: TopicPartition, offset: int) -> None:
        assert offset <= self.ends[partition]
        self.positions[partition] = offset

    async def getmany(
        self, *, timeout_ms: int, max_records: int | None
    ) -> dict[TopicPartition, list[ConsumerRecord]]:
        self.fetches += timeout_ms > 0
        found: dict[TopicPartition, list[ConsumerRecord]] = defaultdict(list)
        left = max_records or 500
        for partition in self.assignment() - self._paused:
            end = min(self.ends[partition], self.positions[partition] + left)
            for offset in range(self.positions[partition], end):
                found[partition].append(record(offset, partition=partition.partition))
            left -= end - self.positions[partition]
            self.positions[partition] = end
        return found


class SlowLog(Log):
    """Whose fetch takes longer than one look: what it brings is there at the next one."""

    def __init__(self, partitions: int) -> None:
        super().__init__(partitions)
        self._is_fetched = False

    async def getmany(
        self, *, timeout_ms: int, max_records: int | None
    ) -> dict[TopicPartition, list[ConsumerRecord]]:
        # As the library does it: what was fetched and may not be returned now is let go of.
        is_here, self._is_fetched = self._is_fetched, not self._paused
        if not is_here:
            return {}
        return await super().getmany(timeout_ms=timeout_ms, max_records=max_records)


class Reading:
    """One reader, and everything that it has read, by partition."""

    def __init__(
        self,
        partitions: int,
        log: type[Log] = Log,
        idle_poll_seconds: float = 0.0,
        forced_fetch_seconds: float = NEVER_SECONDS,
    ) -> None:
        """The broker is only asked when it must be, unless `forced_fetch_seconds` says otherwise."""
        self.log = log(partitions)
        self.feed = InProcessFeed(FeedTimes(forced_fetch_seconds=forced_fetch_seconds))
        self.reader = self.feed.add_reader(TOPIC, idle_poll_seconds=idle_poll_seconds)
        self.read: dict[int, list[int]] = defaultdict(list)

    def publish(self, partition: int) -> None:
        with self.feed.publishing(TOPIC, 1):
            self.feed.deliver(self.log.append(partition))

    def let_time_pass_at_once(self) -> None:
        async def passed(seconds: float) -> None:
            self.reader._fetched_at -= seconds + 1.0

        self.reader._wait = passed  # type: ignore[method-assign]

    async def take(self, maximum: int | None = None) -> int:
        batch = await self.reader.next_batch(
            cast("AIOKafkaConsumer", self.log), maximum_records=maximum
        )
        for one in batch:
            self.read[one.partition].append(one.offset)
        return len(batch)


async def test_what_its_own_process_published_is_not_fetched() -> None:
    reading = Reading(partitions=1)
    for _ in range(3):
        reading.publish(0)
    assert await reading.take() == 3
    reading.publish(0)
    assert await reading.take() == 1
    assert reading.read == {0: [0, 1, 2, 3]}
    assert reading.log.fetches == 0


async def test_others_records_in_between_are_fetched_in_their_place() -> None:
    reading = Reading(partitions=1)
    reading.publish(0)
    reading.log.append(0)
    reading.publish(0)
    for _ in range(LOOKS):
        await reading.take()
    assert reading.read == {0: [0, 1, 2]}


async def test_others_records_in_another_partition_are_found_however_much_is_handed_over() -> None:
    reading = Reading(partitions=2)
    reading.log.append(1)
    for _ in range(LOOKS):
        reading.publish(0)
        await reading.take()
    assert reading.read[1] == [0]


async def test_a_slow_fetch_is_not_thrown_away_because_something_was_handed_over() -> None:
    reading = Reading(partitions=1, log=SlowLog)
    reading.publish(0)
    await reading.take()
    reading.log.append(0)
    reading.publish(0)
    for _ in range(LOOKS):
        await reading.take()
    assert reading.read == {0: [0, 1, 2]}


async def test_a_batch_that_was_given_back_comes_again() -> None:
    reading = Reading(partitions=1)
    for _ in range(3):
        reading.publish(0)
    await reading.take()
    reading.log.seek(TopicPartition(TOPIC, 0), 1)
    reading.publish(0)
    for _ in range(LOOKS):
        await reading.take()
    assert reading.read[0] == [0, 1, 2, 1, 2, 3]


async def test_a_partition_that_is_somebody_elses_now_is_left_to_them() -> None:
    reading = Reading(partitions=2)
    reading.publish(1)
    del reading.log.positions[TopicPartition(TOPIC, 1)]
    reading.publish(0)
    await reading.take()
    assert reading.read == {0: [0]}


async def test_what_was_forgotten_while_the_position_was_not_known_is_not_taken() -> None:
    reading = Reading(partitions=1)
    reading.publish(0)
    known = reading.log.position

    async def forgotten_meanwhile(partition: TopicPartition) -> int:
        reading.reader.begin_anew()
        return await known(partition)

    reading.log.position = forgotten_meanwhile  # type: ignore[method-assign]
    await reading.take()
    assert reading.log.fetches == 1
    assert reading.read == {0: [0]}


async def test_now_and_then_the_broker_is_asked_however_much_is_handed_over() -> None:
    reading = Reading(partitions=1)
    reading.publish(0)
    await reading.take()
    assert reading.log.fetches == 0
    reading.reader._fetched_at -= 2 * NEVER_SECONDS
    reading.publish(0)
    await reading.take()
    assert reading.log.fetches == 1
    assert reading.read == {0: [0, 1]}


async def test_a_slow_look_is_not_waited_for_where_something_is_here() -> None:
    reading = Reading(partitions=1, log=SlowLog, idle_poll_seconds=600.0, forced_fetch_seconds=0.0)
    reading.publish(0)
    assert await reading.take() == 1
    assert reading.log.fetches == 0
    assert not reading.reader.is_due


async def test_while_partitions_are_given_out_nothing_is_taken_without_the_broker() -> None:
    reading = Reading(partitions=1)
    reading.publish(0)
    reading.reader.hold_back()
    await reading.take()
    assert reading.log.fetches == 1
    reading.reader.begin_anew()
    reading.publish(0)
    await reading.take()
    assert reading.log.fetches == 1
    assert reading.read == {0: [0, 1]}


_STEPS: dict[str, Callable[[Reading, int], Any]] = {
    "we publish": lambda reading, partition: reading.publish(partition),
    "others publish": lambda reading, partition: reading.log.append(partition),
    "it reads": lambda reading, _: reading.take(2),
    "it reads all": lambda reading, _: reading.take(),
    "partitions are given out": lambda reading, _: reading.reader.hold_back(),
    "partitions are here": lambda reading, _: reading.reader.begin_anew(),
}


@given(
    st.lists(st.tuples(st.sampled_from(sorted(_STEPS)), st.integers(0, 1)), max_size=40),
    st.sampled_from((0.0, NEVER_SECONDS)),
)
async def test_whoever_publishes_all_is_read_once_and_in_order(
    steps: list[tuple[str, int]], idle_poll_seconds: float
) -> None:
    reading = Reading(partitions=2, idle_poll_seconds=idle_poll_seconds)
    reading.let_time_pass_at_once()
    for step, partition in steps:
        done = _STEPS[step](reading, partition)
        if asyncio.iscoroutine(done):
            await done
    idle = 0
    while idle < 2:
        idle = 0 if await reading.take(2) else idle + 1
    assert {where.partition: list(range(end)) for where, end in reading.log.ends.items()} == {
        0: reading.read[0],
        1: reading.read[1],
    }
