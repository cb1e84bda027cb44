"""Handlers of `conversations`: each hands its events to the pipeline."""

from collections.abc import Sequence

from palimpsest.events.envelope import Event
from palimpsest.model.errors import InvalidEvent
from palimpsest_server.delivery.stage import EventRejection
from services.ingest.pipeline import IngestPipeline
from services.ingest.receive_events import ConversationEvent


class ConversationHandler:
    def __init__(self, pipeline: IngestPipeline) -> None:
        self._pipeline = pipeline

    async def handle(self, events: Sequence[Event]) -> Sequence[EventRejection]:
        """Pass events of conversations to the pipeline, and reject all others."""
        said = [event for event in events if isinstance(event, ConversationEvent)]
        others = [event for event in events if not isinstance(event, ConversationEvent)]
        rejections = [
            EventRejection(event, InvalidEvent(f"{event.type} is no event of a conversation"))
            for event in others
        ]
        return [*rejections, *(await self._pipeline.take(said) if said else ())]
