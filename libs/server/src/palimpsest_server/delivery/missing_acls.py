"""Detect that a consumer without partitions lacks a right."""

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError, TopicAuthorizationFailedError

from palimpsest.events.kafka_refusals import describe_missing_acl
from palimpsest.events.topics import Topic
from palimpsest_server.delivery.connection_settings import KafkaSettings


async def find_missing_consumer_acl(
    admin: AIOKafkaAdminClient, settings: KafkaSettings, topic: Topic, service: str
) -> str | None:
    """Return the missing right to a topic or a group, in words; None if none is missing.

    A Kafka that does not answer counts as no missing right.
    """
    group = settings.group(service)
    try:
        if settings.physical(topic) not in await admin.list_topics():
            unseen = TopicAuthorizationFailedError()
            return describe_missing_acl(
                unseen, f"see {settings.physical(topic)}", settings.security
            )
        # Needs the same right as reading offsets, which it replaces: BrokerLimit.UNREADABLE_OFFSETS.
        await admin.find_coordinator(group)
    except (KafkaError, OSError) as error:
        return describe_missing_acl(error, f"read in the group {group}", settings.security)
    return None
