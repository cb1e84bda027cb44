"""The protocol of publishing events on topics."""

from collections.abc import Sequence
from typing import Protocol

from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic


class Publisher(Protocol):
    """Publishes by the table of topics, keyed by user, in the order given."""

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        """Publish events; returns when Kafka has accepted all of them.

        Raises:
            TransientError: Kafka cannot be reached, or did not accept all of them.
        """
        ...
