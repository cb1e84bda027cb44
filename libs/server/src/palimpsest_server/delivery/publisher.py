"""The protocols of publishing events on topics."""

from collections.abc import Mapping, Sequence
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


class EventRepublisher(Protocol):
    """Publishes events that were stored as bytes, such as dead letters."""

    async def publish_again(
        self, topic: Topic, *, key: bytes, value: bytes, headers: Mapping[str, str]
    ) -> None:
        """Publish the stored value of an event again.

        Raises:
            TransientError: Kafka cannot be reached, or did not accept it.
        """
        ...
