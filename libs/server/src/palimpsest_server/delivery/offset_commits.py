"""Commit the offsets of handled records later than the batches, several batches at once."""

import asyncio
from collections.abc import Mapping

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from palimpsest_server.delivery.error_classification import describe_error

AT_MOST_BEHIND_SECONDS = 0.2
"""Longest delay of a commit, which takes the broker as long as a fetch. After a crash, uncommitted records
are delivered again, without a second effect."""

_log = structlog.get_logger("palimpsest.stage")


class OffsetCommitter:
    """Commit the offsets of one consumer. Only noted offsets are handled and committed."""

    def __init__(self, *, behind_seconds: float = AT_MOST_BEHIND_SECONDS) -> None:
        """`behind_seconds` is the longest delay of a commit."""
        self._behind_seconds = behind_seconds
        self._due: dict[TopicPartition, int] = {}
        self._later: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()

    def note(self, consumer: AIOKafkaConsumer, offsets: Mapping[TopicPartition, int]) -> None:
        """Note the next offsets to be read, of assigned partitions."""
        self._due |= offsets
        if self._later is None or self._later.done():
            self._later = asyncio.create_task(self._commit_later(consumer))

    async def now(self, consumer: AIOKafkaConsumer) -> None:
        """Return when all noted offsets are committed, or cannot be any more. Never raises."""
        async with self._one_at_a_time:
            due, self._due = self._due, {}
            if not due:
                return
            try:
                await consumer.commit(due)
            except KafkaError as error:
                # The next owner of these partitions receives the records again.
                _log.info("offsets were not committed", error=describe_error(error))

    def abandon(self) -> None:
        """Discard all noted offsets: a late commit would count for another log."""
        self._due.clear()
        if self._later is not None:
            self._later.cancel()
            self._later = None

    async def _commit_later(self, consumer: AIOKafkaConsumer) -> None:
        # Offsets noted during a commit belong to the next one.
        while self._due:
            await asyncio.sleep(self._behind_seconds)
            await self.now(consumer)
