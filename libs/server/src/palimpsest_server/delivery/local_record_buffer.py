"""Buffer of records that a reader takes from a publisher in its process instead of fetching them.

Each saved fetch matters: `BrokerLimit.FETCH_LISTS_ALL_BATCHES`.
"""

from collections import deque
from collections.abc import Mapping

from aiokafka import ConsumerRecord
from aiokafka.structs import RecordMetadata

MAXIMUM_BYTES = 2 * 1024 * 1024
"""Size of one partition's buffer in bytes; a reader that is further behind fetches."""

RECORD_BYTES = 1024
"""Approximate size of a record in bytes, without its key and value."""

IN_FLIGHT = 256
"""Records that may be acknowledged in another order than the log's, because several producers write."""


class LocalRecordBuffer:
    """Records that the broker accepted into one partition, in order, for one reader.

    Every buffered record is in the log. Records of other processes, and those that came while
    the buffer was full, are missing. So a reader takes the records that follow its position without
    a gap, and fetches at a gap.
    """

    def __init__(self, maximum_bytes: int = MAXIMUM_BYTES) -> None:
        self._maximum_bytes = maximum_bytes
        self._records: deque[ConsumerRecord] = deque()
        self._bytes = 0

    def add(self, record: ConsumerRecord) -> None:
        later = self._count_behind(record.offset)
        if later > IN_FLIGHT or self._holds(record.offset, later):
            # A restarted broker begins its log again, so the buffered records belong to the old log.
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
        """Return the buffered records from this offset on, up to the first gap.

        Earlier records are dropped.
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
    """Build the record that a consumer would fetch, without the client library's headers."""
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
