"""A service's connection to Kafka.

A broker object for reading and publishing, and an admin client.
"""

import logging

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from faststream import AckPolicy
from faststream.kafka import KafkaBroker

from palimpsest.events.kafka_refusals import diagnose_refusal
from palimpsest.events.topics import TOPICS
from palimpsest_server.delivery.broker_security import build_broker_security
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.topic_creation import RECORD_OVERHEAD_BYTES

LARGEST_RECORD_BYTES = max(topic.maximum_record_bytes for topic in TOPICS)
PRODUCER_BATCH_BYTES = 256 * 1024
"""Vectors take a few kilobytes each. The default of 16 KiB would make a request for every four."""


def create_broker(service: str, settings: KafkaSettings) -> KafkaBroker:
    """Create a broker that is not connected yet."""
    return KafkaBroker(
        settings.bootstrap_servers.split(","),
        client_id=f"palimpsest-{service}",
        security=build_broker_security(settings.security),
        # Nothing is committed before it is handled, and nothing is skipped if that fails.
        ack_policy=AckPolicy.NACK_ON_ERROR,
        graceful_timeout=settings.graceful_timeout_seconds,
        acks="all",
        enable_idempotence=settings.idempotent_producer,
        max_request_size=LARGEST_RECORD_BYTES + RECORD_OVERHEAD_BYTES,
        max_batch_size=PRODUCER_BATCH_BYTES,
        # Windows shrink to a third, change sets to a tenth: less to send, and to store for days.
        compression_type="zstd",
        apply_types=False,
        logger=logging.getLogger("palimpsest.kafka"),
        log_level=logging.DEBUG,
    )


async def connect_admin_client(settings: KafkaSettings) -> AIOKafkaAdminClient:
    """Return an admin client to which Kafka has answered.

    Raises:
        KafkaRefused: Kafka refuses this service, which waiting does not change.
        KafkaError: Kafka does not answer.
    """
    servers, security = settings.bootstrap_servers, settings.security
    admin = AIOKafkaAdminClient(bootstrap_servers=servers, **security.options())
    try:
        await admin.start()
    except BaseException as error:
        await admin.close()
        if isinstance(error, KafkaError) and (why := await diagnose_refusal(servers, security)):
            raise why from error
        raise
    return admin
