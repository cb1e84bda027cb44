"""A publisher that keeps events, and fails as often as a test tells it to."""

from collections.abc import Sequence

from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic
from palimpsest.model.errors import TransientError


class FailingPublisher:
    """A publisher that keeps what it was given; it may be told to fail a few times first."""

    def __init__(self) -> None:
        self.topics: list[Topic] = []
        self.events: list[Event] = []
        self.failures = 0

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        if self.failures:
            self.failures -= 1
            raise TransientError("Kafka is away")
        self.topics += [topic] * len(events)
        self.events += events
