"""Buffer of records that a reader gets from a publisher in its process instead of fetching them.

Each fetch that is saved matters: `BrokerLimit.FETCH_LISTS_ALL_BATCHES`.
"""

from collections import deque
from collections.abc import Mapping

from aiokafka import ConsumerRecord
from aiokafka.structs import RecordMetadata

MAXIMUM_BYTES = 2 * 1024 * 1024
"""Size of the buffer of one partition; a reader that is further behind fetches."""

RECORD_BYTES = 1024
"""Size of a record besides its key and value, about."""

IN_FLIGHT = 256
"""Records that may be acknowledged in another order than the log's, as several producers write."""


class LocalRecordBuffer:
    """Records that the broker took into one partition, in order, for one reader.

    It holds nothing that is not in the log, and may lack anything that is: what others publish,
    and what came while it was full. So a reader takes from it what follows its position without
    a gap, and fetches where there is one.
    """

    def __init__(self, maximum_bytes: int = MAXIMUM_BYTES) -> None:
        self._maximum_bytes = maximum_bytes
        self._records: deque[ConsumerRecord] = deque()
        self._bytes = 0

    def add(self, record: ConsumerRecord) -> None:
        later = self._count_behind(record.offset)
        if later > IN_FLIGHT or self._holds(record.offset, later):
            # The log of a broker that was started anew begins again: what is here was the old one's.
            self.clear()
            later = 0
        if self._bytes + _size(record) <= self._maximum_bytes:
            self._records.insert(len(self._records) - later, record)
            self._bytes += _size(record)

    def _count_behind(self, offset: int) -> int:
        behind = 0
        for record in reversed(self._records):
            if record.offset <= offset:
                break
            behind += 1
        return behind

    def _holds(self, offset: int, later: int) -> bool:
        place = len(self._records) - later
        return place > 0 and bool(self._records[place - 1].offset == offset)

    def take(self, position: int, maximum_records: int | None = None) -> list[ConsumerRecord]:
        """Return what is here from this offset on, without a gap.

        What is before it is let go of.
        """
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
        self._bytes -= _size(record)
        return record


def _size(record: ConsumerRecord) -> int:
    return int(record.serialized_key_size + record.serialized_value_size) + RECORD_BYTES


def build_consumer_record(
    at: RecordMetadata, key: bytes, value: bytes, headers: Mapping[str, str]
) -> ConsumerRecord:
    """Return what a consumer would fetch of what the broker took, the client library's headers left out."""
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
