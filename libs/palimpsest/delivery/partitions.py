"""Which partitions topics have, for a consumer that has not subscribed to any."""

from collections.abc import Collection
from typing import Any

from aiokafka import TopicPartition


async def partitions_of(
    consumer: Any, topics: Collection[str]
) -> dict[str, tuple[TopicPartition, ...]]:
    """All partitions of those of these topics that there are and that we may see.

    A consumer knows the partitions of what it was assigned only. Asking for a
    topic by name would make some brokers create it, with a number of
    partitions that nobody chose: so all are asked for, and then these. The
    consumer, started and without a subscription, is left without one.
    """
    there = sorted(set(topics) & await consumer.topics())
    first = [TopicPartition(topic, 0) for topic in there]
    if not first:
        return {}
    consumer.assign(first)
    # Answered by the leaders, whom it had to learn of first.
    await consumer.end_offsets(first)
    found = {
        topic: tuple(
            TopicPartition(topic, number)
            for number in sorted(consumer.partitions_for_topic(topic) or ())
        )
        for topic in there
    }
    consumer.unsubscribe()
    return found
