"""Handlers of `candidates`: events are sent on with vectors."""

from collections.abc import Sequence

from palimpsest.events.envelope import Event
from palimpsest.events.topics import WRITES
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.stage import EventRejection
from services.embedder.add_vectors import VectorEnricher


class CandidateHandler:
    def __init__(self, enricher: VectorEnricher, publisher: Publisher) -> None:
        self._enricher = enricher
        self._publisher = publisher

    async def handle(self, events: Sequence[Event]) -> Sequence[EventRejection]:
        """Send every event on to the consolidator, in its order."""
        await self._publisher.publish(WRITES, await self._enricher.add_vectors(events))
        return []
