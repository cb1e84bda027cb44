"""The bus on Apache Kafka: the same contract, and what only a real group coordinator shows."""

import asyncio
import dataclasses
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from palimpsest.events.envelope import Event
from palimpsest.events.topics import CONVERSATIONS, TOPICS
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.kafka_publisher import encode_event
from palimpsest_server.delivery.stage import EventRejection
from tests.contracts.bus_contract import BusContract
from tests.support.server.delivery.stand import PATIENCE_SECONDS, Heard, Stand, said

pytestmark = pytest.mark.stack


@pytest.fixture
async def stand(kafka_stack: str, topic_prefix: str) -> AsyncIterator[Stand]:
    settings = KafkaSettings(
        bootstrap_servers=kafka_stack,
        topic_prefix=topic_prefix,
        partitions=4,
        fetch_maximum_wait_milliseconds=50,
        session_timeout_milliseconds=3_000,
        rebalance_timeout_milliseconds=10_000,
        idempotent_producer=True,
        graceful_timeout_seconds=5,
    )
    async with Stand(settings) as stand:
        yield stand


async def kept_milliseconds(admin: AIOKafkaAdminClient, topic: str) -> int:
    """How long Kafka itself says that it keeps what is on a topic.

    A broker answers without entries until it has heard of a topic that was just made.
    """
    resource = ConfigResource(ConfigResourceType.TOPIC, topic)
    async with asyncio.timeout(30):
        while True:
            (response,) = await admin.describe_configs([resource])
            (_code, _message, _type, _name, entries) = response.resources[0]
            for entry in entries:
                if entry[0] == "retention.ms":
                    return int(entry[1])
            await asyncio.sleep(0.1)


async def count_partitions(admin: AIOKafkaAdminClient, topics: Sequence[str]) -> dict[str, int]:
    """Count the partitions of topics, once the broker has heard of all of them."""
    async with asyncio.timeout(30):
        while True:
            described = await admin.describe_topics(list(topics))
            counts = {topic["topic"]: len(topic["partitions"]) for topic in described}
            if all(counts.values()):
                return counts
            await asyncio.sleep(0.1)


class TestBusOnApacheKafka(BusContract):
    async def test_a_rebalance_under_a_slow_handler_loses_and_doubles_nothing(
        self, stand: Stand
    ) -> None:
        times: Counter[str] = Counter()
        order: dict[str, list[int]] = defaultdict(list)
        at_work: set[str] = set()
        overlaps: list[str] = []
        begun = asyncio.Event()
        done = asyncio.Event()

        async def handle(events: Sequence[Event]) -> Sequence[EventRejection]:
            users = {event.user_id for event in events}
            overlaps.extend(users & at_work)
            at_work.update(users)
            begun.set()
            await asyncio.sleep(0.8)
            at_work.difference_update(users)
            for event in events:
                times[event.event_id] += 1
                order[event.user_id].append(int(event.event_id.rpartition("-")[2]))
            if len(times) == 240:
                done.set()
            return ()

        stand.settings = dataclasses.replace(stand.settings, batch_maximum_records=20)
        first = await stand.consuming(handle)
        await first.publisher.publish(CONVERSATIONS, [said(f"u{n % 12}", n) for n in range(240)])
        await asyncio.wait_for(begun.wait(), PATIENCE_SECONDS)
        second = await stand.consuming(handle)
        third = await stand.consuming(handle)
        await second.stop()
        await asyncio.wait_for(done.wait(), PATIENCE_SECONDS)
        await asyncio.gather(first.stop(), third.stop())
        assert set(times.values()) == {1}
        assert overlaps == []
        assert all(numbers == sorted(numbers) for numbers in order.values())
        assert await stand.committed(CONVERSATIONS) == 240

    async def test_a_handler_that_outlasts_the_patience_is_cut_short_and_its_batch_comes_again(
        self, stand: Stand
    ) -> None:
        stand.settings = dataclasses.replace(stand.settings, rebalance_timeout_milliseconds=2_000)
        heard = Heard()
        begun = asyncio.Event()
        cut_short = asyncio.Event()

        async def handle(events: Sequence[Event]) -> Sequence[EventRejection]:
            if not cut_short.is_set():
                begun.set()
                try:
                    await asyncio.sleep(60)
                finally:
                    cut_short.set()
            return await heard(events)

        bus = await stand.consuming(handle)
        await bus.publisher.publish(CONVERSATIONS, [said(f"u{n % 5}", n) for n in range(20)])
        await asyncio.wait_for(begun.wait(), PATIENCE_SECONDS)
        await stand.consuming(heard)
        await asyncio.wait_for(cut_short.wait(), PATIENCE_SECONDS)
        await heard.until(20)
        assert sorted(heard.ids) == sorted(f"u{n % 5}-{n}" for n in range(20))

    async def test_a_record_that_a_generous_kafka_let_through_is_cut_short_with_its_hash(
        self, stand: Stand
    ) -> None:
        admin = AIOKafkaAdminClient(bootstrap_servers=stand.settings.bootstrap_servers)
        await admin.start()
        generous = {"max.message.bytes": str(16 * 1024 * 1024)}
        name = stand.settings.physical(CONVERSATIONS)
        await admin.create_topics([NewTopic(name, 1, 1, topic_configs=generous)])
        await admin.close()
        heard = Heard()
        bus = await stand.consuming(heard)
        await bus.publisher.publish(CONVERSATIONS, [said("u", 1)])
        huge = encode_event(said("u", 2)).replace(b"morning", b"x" * 10_000_000)
        await stand.send(CONVERSATIONS, huge, encode_event(said("u", 3)))
        await heard.until(2)
        (letter,) = await stand.letters.until(1)
        assert letter.reason == "too_large"
        assert letter.body_bytes == len(huge)
        assert len(letter.body) <= 4096
        assert not letter.replayable

    async def test_topics_are_made_as_the_table_says(self, stand: Stand) -> None:
        bus = stand.bus()
        await bus.start()
        admin = AIOKafkaAdminClient(bootstrap_servers=stand.settings.bootstrap_servers)
        await admin.start()
        names = [stand.settings.physical(topic) for topic in TOPICS]
        made = await count_partitions(admin, names)
        kept = {name: await kept_milliseconds(admin, name) for name in names}
        await admin.close()
        assert kept == {
            stand.settings.physical(topic): topic.retention_milliseconds for topic in TOPICS
        }
        assert made == {
            stand.settings.physical(topic): min(topic.partitions, 4) for topic in TOPICS
        }

    async def test_before_kafka_was_reached_publishing_is_a_transient_failure(
        self, stand: Stand
    ) -> None:
        with pytest.raises(TransientError, match="not been reached"):
            await stand.bus().publisher.publish(CONVERSATIONS, [said("u", 1)])
