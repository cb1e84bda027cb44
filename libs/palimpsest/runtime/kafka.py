"""A service's bus, made from its platform's settings."""

from palimpsest.delivery.bus import Bus
from palimpsest.delivery.obeying import Obeying
from palimpsest.domain.privacy.policy import PrivacyPolicy
from palimpsest.domain.privacy.redaction import redact
from palimpsest.runtime.kafka_settings import kafka_settings
from palimpsest.runtime.service import Platform
from palimpsest.stores.dead_letters import MongoDeadLetters
from palimpsest.stores.erasing.dead_letters import DeadLetterEraser
from palimpsest.stores.erasures import MongoErasures


def bus(platform: Platform, service: str) -> Bus:
    """The way to Kafka of this service; not started."""
    privacy = PrivacyPolicy.of(platform.settings.privacy)
    return Bus(
        service,
        settings=kafka_settings(platform.settings, platform.arrivals),
        dead_letters=MongoDeadLetters(platform.database),
        registry=platform.registry,
        clock=platform.clock,
        changes=platform.changes,
        redact=lambda text: redact(text, privacy).text,
        obeying=Obeying(
            service,
            MongoErasures(platform.database),
            [DeadLetterEraser(platform.database, service)],
            clock=platform.clock,
        ),
        sealing=platform.sealing,
    )
