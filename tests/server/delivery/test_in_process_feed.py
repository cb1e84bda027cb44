"""Readers that are told what their process publishes, on a broker that wakes no waiting fetch."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any, cast

import pytest
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.structs import RecordMetadata

from palimpsest.events.conversations import RememberRequested
from palimpsest.events.topics import CANDIDATES
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.in_process_feed import (
    BUSY_FETCH_MILLISECONDS,
    DEFAULT_FEED_TIMES,
    IDLE_FETCH_MILLISECONDS,
    FeedTimes,
    InProcessFeed,
    InProcessFeedReader,
    choose_poll_seconds,
)
from palimpsest_server.delivery.kafka_publisher import encode_event
from palimpsest_server.delivery.local_record_buffer import build_consumer_record
from tests.support.server.delivery.stand import NOON, Heard, Stand

pytestmark = pytest.mark.embedded
ANNOUNCED_MILLISECONDS = DEFAULT_FEED_TIMES.announced_fetch_milliseconds


@pytest.fixture
def settings(kafka_bootstrap: str, topic_prefix: str) -> KafkaSettings:
    return KafkaSettings(
        bootstrap_servers=kafka_bootstrap,
        topic_prefix=topic_prefix,
        partitions=2,
        in_process_feed=InProcessFeed(),
        session_timeout_milliseconds=2_000,
        rebalance_timeout_milliseconds=4_000,
        idempotent_producer=False,
        batch_maximum_records=7,
    )


@pytest.fixture
async def stand(settings: KafkaSettings) -> AsyncIterator[Stand]:
    async with Stand(settings) as stand:
        yield stand


def wish(user_id: str, number: int) -> RememberRequested:
    return RememberRequested(
        event_id=f"{user_id}-{number}", occurred_at=NOON, user_id=user_id, content="I like tea"
    )


async def test_a_reader_looks_because_it_is_told(settings: KafkaSettings) -> None:
    # However busy the machine is.
    times = FeedTimes(idle_poll_seconds=600.0, announced_fetch_milliseconds=60_000)
    heard = Heard()
    async with Stand(replace(settings, in_process_feed=InProcessFeed(times))) as stand:
        bus = await stand.consuming(heard, CANDIDATES)
        for number in range(5):
            await bus.publisher.publish(CANDIDATES, [wish("ana", number)])
            await heard.until(number + 1)


async def test_what_another_process_publishes_is_found_without_being_told(stand: Stand) -> None:
    heard = Heard()
    await stand.consuming(heard, CANDIDATES)
    await stand.send(CANDIDATES, encode_event(wish("ana", 1)), user="ana")
    await heard.until(1)


async def test_all_comes_once_and_in_order_however_much_is_published_meanwhile(
    stand: Stand,
) -> None:
    heard = Heard()
    bus = await stand.consuming(heard, CANDIDATES)
    users = ["ana", "ben", "cem"]

    async def speak(user_id: str) -> None:
        for start in range(0, 60, 4):
            await bus.publisher.publish(
                CANDIDATES, [wish(user_id, number) for number in range(start, start + 4)]
            )

    await asyncio.gather(*map(speak, users))
    await heard.until(180)
    for user_id in users:
        own = [each for each in heard.ids if each.startswith(user_id)]
        assert own == [f"{user_id}-{number}" for number in range(60)]


async def test_a_member_that_joins_and_one_that_leaves_cost_nothing(stand: Stand) -> None:
    first_heard, second_heard = Heard(), Heard()
    first = await stand.consuming(first_heard, CANDIDATES)
    second = await stand.consuming(second_heard, CANDIDATES)
    users = [f"user-{number}" for number in range(12)]
    await first.publisher.publish(CANDIDATES, [wish(user, 1) for user in users])
    await second.stop()
    await first.publisher.publish(CANDIDATES, [wish(user, 2) for user in users])

    async with asyncio.timeout(60):
        while len({*first_heard.ids, *second_heard.ids}) < 24:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


class Looks:
    """A consumer that brings so many records at each look, and notes how long it may take."""

    def __init__(self, *sizes: int) -> None:
        self._sizes = list(sizes)
        self.milliseconds: list[int] = []
        self.meanwhile: Callable[[], None] = lambda: None
        self._positions: dict[object, int] = {}

    def assignment(self) -> set[object]:
        return set()

    def resume(self) -> None:
        """Nothing is fetched ahead here."""

    def pause(self) -> None:
        """Nothing is fetched ahead here."""

    async def position(self, partition: object) -> int:
        return self._positions.get(partition, 0)

    def seek(self, partition: object, offset: int) -> None:
        self._positions[partition] = offset

    async def getmany(self, *, timeout_ms: int, max_records: int | None) -> dict[Any, Any]:
        assert max_records is None
        self.milliseconds.append(timeout_ms)
        self.meanwhile()
        return {"partition": [object()] * self._sizes.pop(0)}


def record_at(offset: int) -> ConsumerRecord:
    at = RecordMetadata("changes", 0, TopicPartition("changes", 0), offset, None, 0, 0)
    return build_consumer_record(at, b"ana", b"{}", {})


async def looked(reader: InProcessFeedReader, looks: Looks) -> tuple[ConsumerRecord, ...]:
    return await reader.next_batch(cast("AIOKafkaConsumer", looks))


async def test_it_looks_on_while_others_publish_and_then_only_now_and_then() -> None:
    reader, looks = InProcessFeedReader(idle_poll_seconds=0.0), Looks(2, 1, 0, 0)
    for _ in range(4):
        await looked(reader, looks)

    assert looks.milliseconds == [
        IDLE_FETCH_MILLISECONDS,
        BUSY_FETCH_MILLISECONDS,
        BUSY_FETCH_MILLISECONDS,
        IDLE_FETCH_MILLISECONDS,
    ]


@pytest.mark.parametrize(
    ("shortest", "silent_seconds", "poll_seconds"),
    [(0.05, 0.0, 0.05), (0.05, 2.0, 0.05), (0.05, 8.0, 0.2), (0.05, 3600.0, 0.4), (1.0, 9.0, 1.0)],
)
def test_the_longer_nothing_came_the_less_often_the_broker_is_asked(
    shortest: float, silent_seconds: float, poll_seconds: float
) -> None:
    chosen = choose_poll_seconds(shortest, 0.4, silent_seconds=silent_seconds)
    assert chosen == pytest.approx(poll_seconds)


async def test_where_nothing_came_for_long_it_waits_before_it_asks_again() -> None:
    times = FeedTimes(quiet_poll_seconds=600.0)
    reader, looks = InProcessFeedReader(idle_poll_seconds=0.0, times=times), Looks(0)
    looking = asyncio.create_task(looked(reader, looks))
    for _ in range(20):
        await asyncio.sleep(0)
    assert looks.milliseconds == [IDLE_FETCH_MILLISECONDS]
    assert not looking.done()
    looking.cancel()


async def test_what_it_took_before_it_was_told_of_it_is_nobody_elses() -> None:
    feed = InProcessFeed()
    reader, looks = feed.add_reader("changes", idle_poll_seconds=0.0), Looks(2, 0)
    with feed.publishing("changes", 2):
        await looked(reader, looks)
    assert not reader.is_due
    await looked(reader, looks)

    assert looks.milliseconds == [IDLE_FETCH_MILLISECONDS, IDLE_FETCH_MILLISECONDS]


async def test_what_others_took_of_what_it_was_told_is_looked_for_once() -> None:
    feed = InProcessFeed()
    reader, looks = feed.add_reader("changes", idle_poll_seconds=0.0), Looks(0, 0)
    with feed.publishing("changes", 2):
        pass
    for _ in range(2):
        await looked(reader, looks)

    assert looks.milliseconds == [ANNOUNCED_MILLISECONDS, IDLE_FETCH_MILLISECONDS]


async def test_where_the_broker_had_nothing_it_is_not_asked_at_each_thing_handed_over() -> None:
    feed = InProcessFeed()
    reader, looks = feed.add_reader("changes", idle_poll_seconds=600.0), Looks(0)
    with feed.publishing("changes", 1):
        pass
    looking = asyncio.create_task(looked(reader, looks))
    await asyncio.sleep(0)
    for offset in range(3):
        with feed.publishing("changes", 1):
            feed.deliver(record_at(offset))
        if not looking.done():
            assert await looking == ()
        [record] = await looked(reader, looks)
        assert record.offset == offset
        looking = asyncio.create_task(looked(reader, looks))
        await asyncio.sleep(0)
    looking.cancel()

    assert looks.milliseconds == [ANNOUNCED_MILLISECONDS]


@pytest.mark.parametrize(("comes", "looks_made"), [(True, 2), (False, 1)])
async def test_where_partitions_came_the_broker_is_asked_at_once(
    *, comes: bool, looks_made: int
) -> None:
    reader, looks = InProcessFeedReader(idle_poll_seconds=600.0), Looks(0, 0)
    for _ in range(2):
        looking = asyncio.create_task(looked(reader, looks))
        await asyncio.sleep(0)
        looking.cancel()
        if comes:
            reader.begin_anew()

    assert len(looks.milliseconds) == looks_made


async def test_partitions_that_come_during_a_look_are_fetched_at_behind_it() -> None:
    reader, looks = InProcessFeedReader(idle_poll_seconds=600.0), Looks(0, 2)
    looks.meanwhile = reader.begin_anew
    looking = asyncio.create_task(looked(reader, looks))
    await asyncio.sleep(0)
    looking.cancel()

    async with asyncio.timeout(60):
        assert len(await looked(reader, looks)) == 2


async def test_what_could_not_be_published_is_not_waited_for() -> None:
    feed = InProcessFeed()
    reader = feed.add_reader("changes", idle_poll_seconds=600.0)
    with pytest.raises(OSError, match="gone"), feed.publishing("changes", 3):
        raise OSError("gone")

    assert not reader.is_due
