"""A consumer that waits for its records instead of asking again and again, on the embedded broker."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer
from aiokafka.consumer.group_coordinator import GroupCoordinator

from palimpsest.events.envelope import Event
from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.stage import EventRejection
from tests.support.eventually import eventually
from tests.support.server.delivery.stand import Heard, Stand, said

pytestmark = pytest.mark.embedded


@pytest.fixture
async def stand(kafka_bootstrap: str, topic_prefix: str) -> AsyncIterator[Stand]:
    settings = KafkaSettings(
        # Whatever happens in these tests, it was not the end of the wait that did it.
        longest_fetch_milliseconds=600_000,
        bootstrap_servers=kafka_bootstrap,
        topic_prefix=topic_prefix,
        partitions=2,
        fetch_maximum_wait_milliseconds=15,
        session_timeout_milliseconds=2_000,
        rebalance_timeout_milliseconds=4_000,
        idempotent_producer=False,
        batch_maximum_records=3,
    )
    async with Stand(settings) as stand:
        yield stand


@pytest.fixture
def polls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of what each poll has brought, and -1 for one that still waits."""
    sizes: list[int] = []
    getmany = AIOKafkaConsumer.getmany

    async def noted(self: AIOKafkaConsumer, **asked: Any) -> Any:
        sizes.append(-1)
        position = len(sizes) - 1
        records = await getmany(self, **asked)
        sizes[position] = sum(map(len, records.values()))
        return records

    monkeypatch.setattr(AIOKafkaConsumer, "getmany", noted)
    return sizes


async def test_it_waits_in_one_poll_which_the_first_record_ends(
    stand: Stand, polls: list[int]
) -> None:
    heard = Heard()
    bus = await stand.consuming(heard)
    await asyncio.sleep(0.2)
    assert polls == [-1]

    await bus.publisher.publish(CONVERSATIONS, [said("ana", 1)])
    await heard.until(1)

    assert polls[0] == 1


async def test_no_batch_is_larger_than_it_may_be(stand: Stand, polls: list[int]) -> None:
    heard = Heard()
    bus = await stand.consuming(heard)
    await bus.publisher.publish(CONVERSATIONS, [said("ana", number) for number in range(10)])
    await heard.until(10)

    assert max(polls) <= 3


async def test_batches_begin_apart_and_take_what_came_meanwhile(stand: Stand) -> None:
    heard = Heard()
    more_are_there = asyncio.Event()
    batches: list[tuple[float, int]] = []

    async def noting(events: Sequence[Event]) -> Sequence[EventRejection]:
        batches.append((asyncio.get_running_loop().time(), len(events)))
        taken = await heard(events)
        # However long publishing takes, the second batch begins after it.
        await more_are_there.wait()
        return taken

    bus = await stand.consuming(noting, batch_interval_seconds=0.4)
    await bus.publisher.publish(CONVERSATIONS, [said("ana", 1)])
    await heard.until(1)
    for number in (2, 3, 4):
        await bus.publisher.publish(CONVERSATIONS, [said("ana", number)])
    more_are_there.set()
    await heard.until(4)

    # The consumer may have fetched the first of them before the others were there.
    assert len(batches) <= 3
    assert sum(size for _, size in batches) == 4
    begun = [at for at, _ in batches]
    assert all(later - earlier > 0.35 for earlier, later in pairwise(begun))


async def test_stopping_ends_the_wait_at_once(stand: Stand, polls: list[int]) -> None:
    bus = await stand.consuming(Heard())

    async with asyncio.timeout(2):
        await bus.stop()

    assert set(polls) == {-1}


async def test_a_member_that_joins_ends_the_wait_of_the_others(stand: Stand) -> None:
    alone, newcomer = Heard(), Heard()
    first = await stand.consuming(alone)
    await stand.consuming(newcomer)

    users = [f"user-{number}" for number in range(12)]
    await first.publisher.publish(CONVERSATIONS, [said(user, 1) for user in users])
    async with asyncio.timeout(60):
        while len(set(alone.ids + newcomer.ids)) < len(users):  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    assert alone.ids
    assert newcomer.ids
    assert sorted(alone.ids + newcomer.ids) == sorted(f"{user}-1" for user in users)


async def test_a_consumer_that_stands_still_is_told_and_made_anew(
    kafka_bootstrap: str, topic_prefix: str
) -> None:
    settings = KafkaSettings(
        bootstrap_servers=kafka_bootstrap,
        topic_prefix=topic_prefix,
        partitions=1,
        fetch_maximum_wait_milliseconds=15,
        idempotent_producer=False,
        is_only_reader=True,
        stalled_seconds=0.0,
    )
    heard = Heard()
    async with Stand(settings) as stand:
        bus = await stand.consuming(heard)
        await bus.publisher.publish(CONVERSATIONS, [said("ana", 1)])
        await heard.until(1)
        (consumption,) = bus._consumptions
        consumer = consumption._subscriber.consumer
        assert consumer is not None
        # As if its fetches brought nothing any more.
        consumer.pause(*consumer.assignment())
        await bus.publisher.publish(CONVERSATIONS, [said("ana", 2)])
        assert await consumption.measure_lag() == 1
        with pytest.raises(TransientError, match=r"ingest reads nothing of conversations"):
            await bus.check()
        labels = {"stage": "ingest", "topic": "conversations"}
        pending = stand.registry.get_sample_value("palimpsest_stage_oldest_pending_seconds", labels)
        assert pending
        assert pending > 0
        await heard.until(2)
        await eventually(lambda: consumption._subscriber.consumer not in {consumer, None})
        assert heard.ids[-1] == "ana-2"


async def test_a_consumer_whose_own_tasks_ended_is_made_anew(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = Heard()
    bus = await stand.consuming(heard)
    await bus.publisher.publish(CONVERSATIONS, [said("ana", 1)])
    await heard.until(1)
    known = GroupCoordinator.ensure_coordinator_known

    async def no_error_of_kafka(self: GroupCoordinator) -> None:
        monkeypatch.setattr(GroupCoordinator, "ensure_coordinator_known", known)
        raise RuntimeError("unable to perform operation; the handler is closed")

    monkeypatch.setattr(GroupCoordinator, "ensure_coordinator_known", no_error_of_kafka)
    # Whichever consumer is the first to look for its coordinator again ends by it.
    for consumption in bus._consumptions:
        consumer = consumption._subscriber.consumer
        assert consumer is not None
        consumer._coordinator.coordinator_dead()

    await bus.publisher.publish(CONVERSATIONS, [said("ana", 2)])
    await heard.until(2)
    # What was not committed comes once more.
    assert set(heard.ids) == {"ana-1", "ana-2"}
    async with asyncio.timeout(60):
        while not all(consumption.in_flight.assigned for consumption in bus._consumptions):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    await bus.check()
