"""Which partitions topics have, on a broker that tells only what is asked."""

import pytest
from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from palimpsest.events.kafka_clients import list_topic_partitions
from palimpsest.events.topics import CONVERSATIONS, WRITES
from palimpsest_lab.instances.measured_instance import MeasuredInstance
from palimpsest_server.delivery.connection_settings import KafkaSettings
from services.host.imports.kafka_backlog import KafkaBacklog
from tests.support.server.delivery.stand import Heard, Stand, said

pytestmark = pytest.mark.stack


def settings_at(kafka: str, prefix: str) -> KafkaSettings:
    return KafkaSettings(bootstrap_servers=kafka, topic_prefix=prefix, partitions=3)


async def test_all_partitions_of_what_there_is_and_nothing_is_made(
    kafka_stack: str, topic_prefix: str
) -> None:
    async with Stand(settings_at(kafka_stack, topic_prefix)) as stand:
        await stand.bus().start()
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka_stack)
        await admin.start()
        try:
            asked = [topic_prefix + CONVERSATIONS.name, topic_prefix + WRITES.name, "no-such-topic"]
            found = await list_topic_partitions(admin, asked)
            assert found == {
                topic: tuple(TopicPartition(topic, number) for number in range(3))
                for topic in asked[:2]
            }
            assert "no-such-topic" not in await admin.list_topics()
        finally:
            await admin.close()


async def test_an_import_sees_what_it_lets_pile_up(kafka_stack: str, topic_prefix: str) -> None:
    async with Stand(settings_at(kafka_stack, topic_prefix)) as stand:
        heard = Heard()
        reading = await stand.consuming(heard)
        await reading.publisher.publish(CONVERSATIONS, [said("early", n) for n in range(3)])
        await heard.until(3)
        await reading.stop()
        bus = stand.bus()
        await bus.start()
        await bus.publisher.publish(CONVERSATIONS, [said(f"u{n}", n) for n in range(7)])
        subject = MeasuredInstance(
            http_url="", kafka_bootstrap_servers=kafka_stack, kafka_topic_prefix=topic_prefix
        )
        async with KafkaBacklog(subject) as backlog:
            assert await backlog.records() == 7
