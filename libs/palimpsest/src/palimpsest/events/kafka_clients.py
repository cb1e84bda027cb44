"""Amend aiokafka: connections that the broker closed, and the partitions of topics.

aiokafka takes an `OSError` for a closed connection. Where the event loop is uvloop's, writing to such a connection raises a
`RuntimeError` instead, which ends aiokafka's own tasks for good: its consumer then reads
nothing any more, though the broker is back (https://github.com/aio-libs/aiokafka/issues/1038).
"""

from collections.abc import Collection
from typing import Any

from aiokafka import TopicPartition, conn
from aiokafka.errors import KafkaConnectionError


class _Connection(conn.AIOKafkaConnection):  # type: ignore[misc]
    def send(self, request: Any, expect_response: bool = True) -> Any:  # noqa: FBT001, FBT002
        try:
            return super().send(request, expect_response)
        except RuntimeError as error:
            self.close(reason=conn.CloseReason.CONNECTION_BROKEN)
            words = f"the connection to {self.host}:{self.port} was closed"
            raise KafkaConnectionError(words) from error


def translate_lost_connections() -> None:
    """Translate the error for every connection that aiokafka makes in this process from now on."""
    # aiokafka's clients make their own connections, and take no argument for this.
    conn.AIOKafkaConnection = _Connection


async def list_topic_partitions(
    admin: Any, topics: Collection[str]
) -> dict[str, tuple[TopicPartition, ...]]:
    """List the partitions of the topics that exist and that we may see.

    All topics are asked for, and these picked: asking for one by name would make
    some brokers create it, with a number of partitions that nobody chose. An
    admin client answers, because a consumer knows only what it was assigned, and
    one that is assigned and unsubscribed again may neither join its group nor stop.
    """
    return {
        topic["topic"]: tuple(
            TopicPartition(topic["topic"], number)
            for number in sorted(partition["partition"] for partition in topic["partitions"])
        )
        for topic in await admin.describe_topics()
        if topic["topic"] in topics and topic["partitions"]
    }
