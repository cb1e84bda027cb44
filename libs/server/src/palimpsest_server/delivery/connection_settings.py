"""Settings of a connection to Kafka, independent of the process's settings."""

from dataclasses import dataclass, field

from palimpsest.events.kafka_security import KafkaSecurity
from palimpsest.events.topics import Topic
from palimpsest_server.delivery.in_process_feed import (
    FETCH_MILLISECONDS,
    InProcessFeed,
    InProcessFeedReader,
)
from palimpsest_server.delivery.reading_progress import STALLED_SECONDS


@dataclass(frozen=True, kw_only=True)
class KafkaSettings:
    bootstrap_servers: str
    security: KafkaSecurity = field(default_factory=KafkaSecurity)
    topic_prefix: str = ""
    log_generation: int = 0
    """Number of logs that a volatile broker has begun. Each log has its own consumer groups, because a
    late commit to an old log's group would hide the first records of the new log."""
    replication_factor: int = 1
    partitions: int | None = None
    """Largest number of partitions of a topic that a service creates; existing topics stay unchanged."""
    fetch_maximum_wait_milliseconds: int = 100
    longest_fetch_milliseconds: int = FETCH_MILLISECONDS
    """Longest wait of a consumer's fetch, if the broker wakes waiting readers."""
    in_process_feed: InProcessFeed | None = None
    """Feed to the readers of this process, for `BrokerLimit.NO_FETCH_WAKE_UP`; None elsewhere."""
    is_only_reader: bool = False
    """True if no other process reads in the groups of this one. Each consumer then takes all
    partitions at once, without waiting for a group to assign them."""
    session_timeout_milliseconds: int = 30_000
    """A group member without a heartbeat for this time counts as dead."""
    rebalance_timeout_milliseconds: int = 30_000
    """Time that a rebalance gives members to release their partitions and join again."""
    maximum_poll_interval_milliseconds: int = 600_000
    stalled_seconds: float = STALLED_SECONDS
    """A consumer whose next record waits for this time is stuck, and is replaced."""
    idempotent_producer: bool = True
    batch_maximum_records: int = 256
    publish_timeout_seconds: float = 5.0
    """Longer than a leader election, shorter than the patience of an HTTP client."""
    graceful_timeout_seconds: float = 20.0
    """Time that a batch in flight has to finish when the service stops."""

    def feed_reader(self, topic: Topic) -> InProcessFeedReader | None:
        """Add a reader of this topic to the in-process feed; None if the broker wakes its readers."""
        if self.in_process_feed is None:
            return None
        return self.in_process_feed.add_reader(
            self.physical(topic), idle_poll_seconds=topic.idle_poll_seconds
        )

    def partitions_of(self, topic: Topic) -> int:
        """Return the number of partitions that this topic is created with."""
        return min(topic.partitions, self.partitions or topic.partitions)

    def physical(self, topic: Topic) -> str:
        return self.topic_prefix + topic.name

    def group(self, service: str) -> str:
        name = self.topic_prefix + service
        return f"{name}-{self.log_generation}" if self.log_generation else name

    @property
    def revocation_patience_seconds(self) -> float:
        """Return how long revoked partitions may be kept for the batch in flight.

        It is shorter than the coordinator's wait, so that the batch is dropped before another member gets
        the partitions.
        """
        return 0.7 * self.rebalance_timeout_milliseconds / 1000

    @property
    def waiting_patience_seconds(self) -> float:
        """Return how long a batch may wait before Kafka would consider its consumer stuck."""
        return 0.5 * self.maximum_poll_interval_milliseconds / 1000
