"""Connects to Kafka: waits for topics, finds partitions, translates errors."""

from collections.abc import Awaitable
from typing import Any, TypeVar

from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError, MessageSizeTooLargeError

from palimpsest.api.problems import TOO_LARGE_REASON
from palimpsest.api.resources import Problem
from palimpsest.client.errors import NotAllowed, RequestTooLarge, Unavailable
from palimpsest.client.kafka_address import KafkaAddress
from palimpsest.events.kafka_clients import list_topic_partitions
from palimpsest.events.kafka_refusals import describe_missing_acl, diagnose_refusal
from palimpsest.events.kafka_security import KafkaSecurity
from palimpsest.events.topics import Topic

AnswerT = TypeVar("AnswerT")


async def fetch_partitions(address: KafkaAddress, wanted: Topic) -> list[TopicPartition]:
    """List the partitions of a topic.

    Raises:
        Unavailable: Kafka is away, or the services have not made the topic yet.
        NotAllowed: the broker refuses the connection.
    """
    topic = address.physical(wanted)
    admin = AIOKafkaAdminClient(
        bootstrap_servers=address.bootstrap_servers, **address.security.options()
    )
    try:
        await connect_to_kafka(admin.start(), address)
        found = await call_kafka(list_topic_partitions(admin, [topic]), address)
    finally:
        await admin.close()
    if topic not in found:
        words = f"Kafka has no topic {topic}; the services make it when they start"
        # A topic that this user may not see looks the same as a missing one.
        raise Unavailable(Problem(reason="no_topic", message=words))
    return list(found[topic])


async def read_from_end(consumer: Any, partitions: list[TopicPartition]) -> None:
    """Assign these partitions and return when their ends are known: no later record is missed.

    The embedded broker reports ends by whole batches, so the last few records before may come as
    well.
    """
    consumer.assign(partitions)
    await consumer.seek_to_end(*partitions)
    for partition in partitions:
        await consumer.position(partition)


async def connect_to_kafka(call: Awaitable[AnswerT], address: KafkaAddress) -> AnswerT:
    """Await a first connection as `call_kafka` does.

    Raises:
        NotAllowed: the broker and the client do not trust each other; another attempt does not
            help.
    """
    try:
        return await call_kafka(call, address)
    except Unavailable as error:
        refused = await diagnose_refusal(address.bootstrap_servers, address.security)
        if refused is None:
            raise
        problem = Problem(reason=refused.reason, message=str(refused))
        raise NotAllowed(problem) from error


async def call_kafka(call: Awaitable[AnswerT], address: KafkaAddress) -> AnswerT:
    """Await a call of Kafka's client, and translate its errors to the client's.

    Raises:
        RequestTooLarge: the broker takes no record of this size.
        NotAllowed: an ACL is missing.
        Unavailable: any other error; one that Kafka calls permanent may be a topic not made yet.
    """
    try:
        return await call
    except MessageSizeTooLargeError:
        raise RequestTooLarge(
            Problem(reason=TOO_LARGE_REASON, message="larger than the broker takes")
        ) from None
    except (KafkaError, OSError) as error:
        if missing := describe_missing_acl(error, "do this", KafkaSecurity()):
            raise NotAllowed(Problem(reason="not_allowed", message=missing)) from error
        words = f"no answer from {address.words}: {type(error).__name__}"
        raise Unavailable(Problem(reason="unreachable", message=words)) from error
