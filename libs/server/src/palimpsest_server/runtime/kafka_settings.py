"""Build the options of Kafka's clients from the settings of a process."""

from palimpsest.events.kafka_security import KafkaSecurity
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.in_process_feed import InProcessFeed
from palimpsest_server.runtime.settings import Mode, Settings


def build_kafka_security(settings: Settings) -> KafkaSecurity:
    """Build the TLS and password options of Kafka's clients.

    Raises:
        WrongSecuritySettings: the settings contradict each other.
    """
    password = settings.kafka_password
    return KafkaSecurity(
        protocol=settings.kafka_security_protocol,
        mechanism=settings.kafka_sasl_mechanism,
        user=settings.kafka_user,
        password=password.get_secret_value() if password else None,
        ca_file=settings.kafka_ca_file,
        certificate_file=settings.kafka_certificate_file,
        key_file=settings.kafka_key_file,
    )


def build_kafka_settings(
    settings: Settings,
    in_process_feed: InProcessFeed | None = None,
    *,
    log_generation: int = 0,
) -> KafkaSettings:
    return KafkaSettings(
        bootstrap_servers=settings.kafka_bootstrap_servers,
        security=build_kafka_security(settings),
        topic_prefix=settings.kafka_topic_prefix,
        log_generation=log_generation,
        replication_factor=settings.kafka_replication_factor,
        partitions=settings.kafka_partitions,
        fetch_maximum_wait_milliseconds=settings.kafka_fetch_maximum_wait_milliseconds,
        in_process_feed=in_process_feed,
        is_only_reader=settings.mode is Mode.EMBEDDED,
        session_timeout_milliseconds=settings.kafka_session_timeout_milliseconds,
        rebalance_timeout_milliseconds=settings.kafka_rebalance_timeout_milliseconds,
        maximum_poll_interval_milliseconds=settings.kafka_maximum_poll_interval_milliseconds,
        idempotent_producer=settings.kafka_idempotent_producer,
        batch_maximum_records=settings.kafka_batch_maximum_records,
    )
