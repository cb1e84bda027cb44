"""The address of Kafka, known without loading a Kafka client."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from palimpsest.events.kafka_security import KafkaSecurity

if TYPE_CHECKING:
    from palimpsest.events.topics import Topic


@dataclass(frozen=True, kw_only=True)
class KafkaAddress:
    bootstrap_servers: str
    topic_prefix: str = ""
    """The prefix of every topic; the services must have the same one."""
    fetch_maximum_wait_milliseconds: int = 25
    """Milliseconds that a fetch waits. The embedded broker does not wake a waiting fetch, which
    adds half of this to an answer.
    """
    security: KafkaSecurity = field(default_factory=KafkaSecurity)

    @property
    def words(self) -> str:
        """The address in words for people."""
        return f"Kafka at {self.bootstrap_servers}"

    def physical(self, topic: "Topic") -> str:
        """Return the name of `topic` on this broker: its prefix and its own name."""
        return self.topic_prefix + topic.name
