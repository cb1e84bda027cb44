"""A service's bus, made from its platform's settings."""

from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_language.redaction.redactor import redact
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.delivery.erasure_worker import ErasureWorker
from palimpsest_server.runtime.kafka_settings import build_kafka_settings
from palimpsest_server.runtime.service import Platform
from palimpsest_server.stores.dead_letters import MongoDeadLetters
from palimpsest_server.stores.decided_erasures import MongoErasures
from palimpsest_server.stores.erasure.dead_letters import DeadLetterEraser


def build_bus(platform: Platform, service: str) -> Bus:
    """The way to Kafka of this service; not started."""
    privacy = PrivacyPolicy.of(platform.settings.privacy)
    return Bus(
        service,
        settings=build_kafka_settings(platform.settings, platform.arrivals),
        dead_letters=MongoDeadLetters(platform.database),
        registry=platform.registry,
        clock=platform.clock,
        changes=platform.changes,
        redact=lambda text: redact(text, privacy).text,
        obeying=ErasureWorker(
            service,
            MongoErasures(platform.database),
            [DeadLetterEraser(platform.database, service)],
            clock=platform.clock,
        ),
        sealing=platform.sealing,
    )
