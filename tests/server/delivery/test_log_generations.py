"""A broker that begins with an empty log is read from its first record, whatever was committed before."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition

from palimpsest.events.topics import CONVERSATIONS
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.embedded.embedded_servers import EmbeddedServers
from tests.support.server.delivery.stand import PATIENCE_SECONDS, Heard, Stand, said

pytestmark = pytest.mark.embedded


def only_reader(servers: EmbeddedServers) -> KafkaSettings:
    return KafkaSettings(
        bootstrap_servers=servers.kafka_bootstrap,
        partitions=1,
        fetch_maximum_wait_milliseconds=15,
        idempotent_producer=False,
        is_only_reader=True,
        log_generation=servers.log_generation,
    )


async def test_what_the_reader_of_the_old_log_commits_late_hides_nothing_of_the_new(
    tmp_path: Path,
) -> None:
    async with EmbeddedServers(tmp_path) as servers, Stand(only_reader(servers)) as old:
        heard = Heard()
        bus = await old.consuming(heard)
        await bus.publisher.publish(CONVERSATIONS, [said("ana", n) for n in range(20)])
        await heard.until(20)
        os.kill(servers.pids["broker"], signal.SIGKILL)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert not (await servers.lost()).final
            await servers.empty_broker()
        await old.bus("console").start()
        # The old reader has not noticed, and commits where it was.
        late = AIOKafkaConsumer(
            bootstrap_servers=servers.kafka_bootstrap,
            group_id=old.settings.group("ingest"),
            enable_auto_commit=False,
        )
        await late.start()
        partition = TopicPartition(CONVERSATIONS.name, 0)
        late.assign([partition])
        await late.commit({partition: 20})
        await late.stop()
        async with Stand(only_reader(servers)) as stand:
            first = Heard()
            reader = await stand.consuming(first)
            await reader.publisher.publish(CONVERSATIONS, [said("ana", n) for n in range(30)])
            await first.until(30)


async def test_a_bus_that_gives_up_leaves_in_a_moment_and_leaves_no_task(tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    async with EmbeddedServers(tmp_path) as servers, Stand(only_reader(servers)) as stand:
        stuck = asyncio.Event()

        async def never_done(_events: object) -> tuple[()]:
            stuck.set()
            await asyncio.Event().wait()
            return ()

        bus = await stand.consuming(never_done)
        await bus.publisher.publish(CONVERSATIONS, [said("ana", 1)])
        await stuck.wait()
        os.kill(servers.pids["broker"], signal.SIGKILL)
        await servers.lost()
        bus.give_up()
        async with asyncio.timeout(60):
            await bus.stop()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
