"""A record as it came from Kafka, undecoded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from palimpsest.model.value_types import Identifier

_IDENTIFIER: TypeAdapter[str] = TypeAdapter(Identifier)


class KafkaRecord(Protocol):
    """The part of aiokafka's ConsumerRecord that is used."""

    @property
    def partition(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def timestamp(self) -> int:
        """Milliseconds since 1970, given by the producer."""
        ...

    @property
    def key(self) -> bytes | None: ...
    @property
    def value(self) -> bytes | None: ...
    @property
    def headers(self) -> Sequence[tuple[str, bytes]]: ...


@dataclass(frozen=True)
class EventRecord:
    """The record of an event without a place on its topic: given up later, or never published."""

    key: bytes
    value: bytes
    partition: int = -1
    offset: int = -1
    timestamp: int = 0
    headers: Sequence[tuple[str, bytes]] = ()


def get_header(record: KafkaRecord, name: str) -> str | None:
    """Return a header's text; None if it is absent or not UTF-8."""
    for key, value in record.headers:
        if key == name:
            try:
                return value.decode()
            except UnicodeDecodeError:
                return None
    return None


def parse_user_key(record: KafkaRecord) -> str | None:
    """Return the user id in a record's key; None if the key is no valid id."""
    try:
        return _IDENTIFIER.validate_python((record.key or b"").decode())
    except (UnicodeDecodeError, ValidationError):
        return None
