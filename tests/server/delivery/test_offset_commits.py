import asyncio
from collections.abc import Mapping
from typing import Any, cast

from aiokafka import AIOKafkaConsumer, TopicPartition

from palimpsest_server.delivery.offset_commits import OffsetCommitter
from tests.support.eventually import eventually

PARTITION = TopicPartition("writes", 0)


class Slow:
    """A broker that takes its time over a commit."""

    def __init__(self) -> None:
        self.committed: dict[TopicPartition, int] = {}
        self.asked = asyncio.Event()
        self.answers = asyncio.Event()

    async def commit(self, offsets: Mapping[TopicPartition, int]) -> None:
        self.asked.set()
        await self.answers.wait()
        self.committed |= offsets


async def test_what_is_handled_while_a_commit_is_under_way_is_committed_without_another_batch() -> (
    None
):
    behind, broker = OffsetCommitter(behind_seconds=0.01), Slow()
    consumer = cast("AIOKafkaConsumer", cast("Any", broker))
    behind.note(consumer, {PARTITION: 1})
    await broker.asked.wait()
    behind.note(consumer, {PARTITION: 2})
    broker.answers.set()
    await eventually(lambda: broker.committed == {PARTITION: 2})
