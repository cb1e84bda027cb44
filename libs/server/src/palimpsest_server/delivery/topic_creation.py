"""Create the topics of the table on a Kafka that does not have them yet."""

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, TopicAuthorizationFailedError, for_code

from palimpsest.events.kafka_refusals import KafkaRefused, describe_missing_acl
from palimpsest.events.topics import TOPICS, Topic
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.acls import uses_topic
from palimpsest_server.delivery.connection_settings import KafkaSettings

RECORD_OVERHEAD_BYTES = 64 * 1024
"""Size by which a batch may exceed the value in it: key, headers, framing."""


def build_new_topic(topic: Topic, settings: KafkaSettings) -> NewTopic:
    return NewTopic(
        name=settings.physical(topic),
        num_partitions=settings.partitions_of(topic),
        replication_factor=settings.replication_factor,
        topic_configs={
            "cleanup.policy": topic.cleanup,
            "retention.ms": str(topic.retention_milliseconds),
            "max.message.bytes": str(topic.maximum_record_bytes + RECORD_OVERHEAD_BYTES),
        },
    )


async def ensure_topics(admin: AIOKafkaAdminClient, settings: KafkaSettings, service: str) -> None:
    """Create missing topics; existing topics stay as their operator made them.

    A broker with ACLs shows a service only its own topics. Topics of other services, which this one
    may not create, are left to them.

    Raises:
        KafkaRefused: an ACL is missing for a topic of this service.
        TransientError: Kafka refused to create a topic; the message has Kafka's words.
    """
    existing = set(await admin.list_topics())
    missing = [topic for topic in TOPICS if settings.physical(topic) not in existing]
    if not missing:
        return
    response = await admin.create_topics([build_new_topic(topic, settings) for topic in missing])
    for name, code, *_words in response.topic_errors:
        error = for_code(code)
        if error is TopicAuthorizationFailedError:
            _check_denied(name, settings, service, error())
        # Another service that started at the same time may have been faster.
        elif code and error is not TopicAlreadyExistsError:
            raise TransientError(f"Kafka did not create the topic {name}: {error.__name__}")


def _check_denied(name: str, settings: KafkaSettings, service: str, error: Exception) -> None:
    topic = next(topic for topic in TOPICS if settings.physical(topic) == name)
    if uses_topic(topic, service):
        words = describe_missing_acl(error, f"see or make the topic {name}", settings.security)
        raise KafkaRefused(words or str(error))
