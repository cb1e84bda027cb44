"""A service's bus, made from its platform's settings."""

from palimpsest.delivery.bus import Bus
from palimpsest.delivery.connection import KafkaSettings
from palimpsest.delivery.obeying import Obeying
from palimpsest.delivery.security import KafkaSecurity
from palimpsest.domain.privacy.policy import PrivacyPolicy
from palimpsest.domain.privacy.redaction import redact
from palimpsest.runtime.service import Platform
from palimpsest.runtime.settings import Settings
from palimpsest.stores.dead_letters import MongoDeadLetters
from palimpsest.stores.erasing.dead_letters import DeadLetterEraser
from palimpsest.stores.erasures import MongoErasures


def kafka_security(settings: Settings) -> KafkaSecurity:
    """What every client of Kafka is told about TLS and passwords.

    Raises:
        WrongSecuritySettings: they do not go together.
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


def kafka_settings(settings: Settings) -> KafkaSettings:
    return KafkaSettings(
        bootstrap_servers=settings.kafka_bootstrap_servers,
        security=kafka_security(settings),
        topic_prefix=settings.kafka_topic_prefix,
        replication_factor=settings.kafka_replication_factor,
        partitions=settings.kafka_partitions,
        fetch_maximum_wait_milliseconds=settings.kafka_fetch_maximum_wait_milliseconds,
        session_timeout_milliseconds=settings.kafka_session_timeout_milliseconds,
        rebalance_timeout_milliseconds=settings.kafka_rebalance_timeout_milliseconds,
        maximum_poll_interval_milliseconds=settings.kafka_maximum_poll_interval_milliseconds,
        idempotent_producer=settings.kafka_idempotent_producer,
        batch_maximum_records=settings.kafka_batch_maximum_records,
    )


def bus(platform: Platform, service: str) -> Bus:
    """The way to Kafka of this service; not started."""
    privacy = PrivacyPolicy.of(platform.settings.privacy)
    return Bus(
        service,
        settings=kafka_settings(platform.settings),
        dead_letters=MongoDeadLetters(platform.database),
        registry=platform.registry,
        clock=platform.clock,
        redact=lambda text: redact(text, privacy).text,
        obeying=Obeying(
            service,
            MongoErasures(platform.database),
            [DeadLetterEraser(platform.database, service)],
            clock=platform.clock,
        ),
    )
