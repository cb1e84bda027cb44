"""Records that a reader has from their publisher in the same process, and need not fetch.

A fetch makes the embedded broker list every batch that the partition ever took: a millisecond
of its time for each thousand of them.
"""

from collections import deque
from collections.abc import Mapping

from aiokafka import ConsumerRecord
from aiokafka.structs import RecordMetadata

MAXIMUM_BYTES = 2 * 1024 * 1024
"""Of one partition's values; a reader so far behind fetches."""


class HandedOver:
    """What the broker took into one partition, in its order, for one reader.

    It holds nothing that is not in the log, and may lack anything that is: what others publish,
    and what came while it was full. So a reader takes from it what follows its position without
    a gap, and fetches where there is one.
    """

    def __init__(self, maximum_bytes: int = MAXIMUM_BYTES) -> None:
        self._maximum_bytes = maximum_bytes
        self._records: deque[ConsumerRecord] = deque()
        self._bytes = 0

    def add(self, record: ConsumerRecord) -> None:
        if self._records and record.offset <= self._records[-1].offset:
            # The log of a broker that was started anew begins again: what is here was the old one's.
            self.clear()
        if self._bytes + record.serialized_value_size <= self._maximum_bytes:
            self._records.append(record)
            self._bytes += record.serialized_value_size

    def take(self, position: int, maximum_records: int | None = None) -> list[ConsumerRecord]:
        """What is here from this offset on, without a gap. What is before it is let go of."""
        while self._records and self._records[0].offset < position:
            self._pop()
        taken: list[ConsumerRecord] = []
        while (
            self._records
            and self._records[0].offset == position + len(taken)
            and (maximum_records is None or len(taken) < maximum_records)
        ):
            taken.append(self._pop())
        return taken

    def clear(self) -> None:
        self._records.clear()
        self._bytes = 0

    def _pop(self) -> ConsumerRecord:
        record = self._records.popleft()
        self._bytes -= record.serialized_value_size
        return record


def record_taken(
    at: RecordMetadata, key: bytes, value: bytes, headers: Mapping[str, str]
) -> ConsumerRecord:
    """What a consumer would fetch of what the broker took, the client library's headers left out."""
    return ConsumerRecord(
        topic=at.topic,
        partition=at.partition,
        offset=at.offset,
        timestamp=at.timestamp or 0,
        timestamp_type=at.timestamp_type,
        key=key,
        value=value,
        checksum=None,
        serialized_key_size=len(key),
        serialized_value_size=len(value),
        headers=tuple((name, text.encode()) for name, text in headers.items()),
    )
