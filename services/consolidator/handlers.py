"""Handlers of `writes`."""

from collections.abc import Sequence

from palimpsest.events.envelope import Event
from palimpsest_server.delivery.stage import EventRejection
from services.consolidator.write_batch import BatchWriter


class WriteHandler:
    def __init__(self, writer: BatchWriter) -> None:
        self._writer = writer

    async def handle(self, events: Sequence[Event]) -> Sequence[EventRejection]:
        """Write a batch and return its rejections.

        Raises:
            TransientError: other writers keep coming first; the batch comes again.
        """
        return await self._writer.write(events)
