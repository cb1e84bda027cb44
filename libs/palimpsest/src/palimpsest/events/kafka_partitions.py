"""Which partitions topics have."""

from collections.abc import Collection
from typing import Any

from aiokafka import TopicPartition


async def list_topic_partitions(
    admin: Any, topics: Collection[str]
) -> dict[str, tuple[TopicPartition, ...]]:
    """All partitions of those of these topics that there are and that we may see.

    All topics are asked for, and these picked: asking for one by name would make
    some brokers create it, with a number of partitions that nobody chose. An
    admin client answers, because a consumer knows only what it was assigned, and
    one that is assigned and unsubscribed again may neither join its group nor stop.
    """
    return {
        each["topic"]: tuple(
            TopicPartition(each["topic"], number)
            for number in sorted(partition["partition"] for partition in each["partitions"])
        )
        for each in await admin.describe_topics()
        if each["topic"] in topics and each["partitions"]
    }
