"""The addresses of an instance for clients."""

from dataclasses import dataclass, field

from palimpsest.client import PalimpsestClient
from palimpsest.events.kafka_security import KafkaSecurity
from palimpsest_server.embedded import instance
from palimpsest_server.runtime.kafka_settings import build_kafka_security
from palimpsest_server.runtime.settings import Settings


@dataclass(frozen=True, kw_only=True)
class InstanceAddresses:
    http_url: str
    kafka_bootstrap_servers: str
    kafka_topic_prefix: str = ""
    kafka_security: KafkaSecurity = field(default_factory=KafkaSecurity)
    api_key: str | None = field(default=None, repr=False)

    def over_http(self) -> PalimpsestClient:
        return PalimpsestClient(http_url=self.http_url, api_key=self.api_key, timeout_seconds=30)

    def over_kafka(self) -> PalimpsestClient:
        """Open a client that sends events and recalls over Kafka."""
        return PalimpsestClient(
            kafka_bootstrap_servers=self.kafka_bootstrap_servers,
            kafka_topic_prefix=self.kafka_topic_prefix,
            kafka_security=self.kafka_security,
            timeout_seconds=60,
        )


def find_instance_addresses(settings: Settings) -> InstanceAddresses:
    """Return the addresses of the instance on the data directory, otherwise those of the settings."""
    key = settings.api_key.get_secret_value() if settings.api_key else None
    running = instance.find_instance(settings.data_directory)
    if running is not None:
        return InstanceAddresses(
            http_url=running.http_url,
            kafka_bootstrap_servers=running.kafka_bootstrap_servers,
            api_key=key,
        )
    return InstanceAddresses(
        http_url=f"http://{settings.http_host}:{settings.http_port}",
        kafka_bootstrap_servers=settings.kafka_bootstrap_servers,
        kafka_topic_prefix=settings.kafka_topic_prefix,
        kafka_security=build_kafka_security(settings),
        api_key=key,
    )
