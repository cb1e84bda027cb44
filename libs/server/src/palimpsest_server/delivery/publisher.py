"""Putting events on topics."""

from collections.abc import Sequence
from typing import Protocol

from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic


class Publisher(Protocol):
    """Publishes by the table of topics, keyed by user, in the order given."""

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        """Returns when Kafka has taken every one of them.

        Raises:
            TransientError: Kafka is not to be reached, or did not take them all.
        """
        ...
