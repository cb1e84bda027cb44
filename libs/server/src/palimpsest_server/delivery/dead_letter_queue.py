"""Dead-letter a record: store it redacted in MongoDB, and announce it without content."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic_core import from_json

from palimpsest.events.announcements import DeadLetterAnnounced
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.events.topics import DEAD_LETTERS, Topic
from palimpsest.model.clock import Clock
from palimpsest.model.errors import EventTooLarge, NotStorable, PalimpsestError
from palimpsest.model.identifiers import derive_id
from palimpsest_server.delivery.error_classification import describe_error, get_error_reason
from palimpsest_server.delivery.event_decoder import mask_event_type
from palimpsest_server.delivery.kafka_publisher import TRACE_HEADER
from palimpsest_server.delivery.kafka_records import KafkaRecord, get_header, parse_user_key
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.stage_metrics import StageMetrics
from palimpsest_server.error_places import locate_error
from palimpsest_server.stores.dead_letters import DeadLetter, DeadLetterStore

TextRedactor = Callable[[str], str]

UNFIXABLE_KEPT_CHARACTERS = 4 * 1024
"""Characters kept of a value that is too large or not JSON, for diagnosis; it cannot be replayed."""
UNFIXABLE_REDACTED_BYTES = 64 * 1024
"""Bytes of such a value that are redacted before it is cut, so that no secret is cut in half and missed."""
_IDENTIFYING_FIELDS = frozenset(
    {
        "event_id",
        "user_id",
        "agent_id",
        "project_id",
        "session_id",
        "message_id",
        "occurred_at",
        "received_at",
        "vectors",
    }
)
"""Fields that are not redacted, because a replay needs the ids unchanged."""


def redact_everything(_text: str) -> str:
    """Redact a whole text; the default if no redactor is given."""
    return "[withheld]"


@dataclass(frozen=True)
class FailedRecord:
    """A record that is to be dead-lettered; `event` is None if the record could not be decoded."""

    record: KafkaRecord
    event: Event | None
    error: Exception
    said: bytes | None = None
    """Plain text of the event, if the record itself is sealed."""


def build_dead_letter(
    failure: FailedRecord, *, stage: str, topic: Topic, redact: TextRedactor, now: datetime
) -> DeadLetter:
    record, event = failure.record, failure.event
    # Digest of the record's bytes as sent: a digest of the plain text would reveal sealed content.
    digest = hashlib.sha256(record.value or b"").hexdigest()
    value = (record.value if failure.said is None else failure.said) or b""
    body, whole = _kept_body(value, failure.error, redact)
    return DeadLetter(
        id=derive_id("dead_letter", stage, topic.name, digest),
        stage=stage,
        topic=topic.name,
        partition=record.partition,
        offset=record.offset,
        user_id=event.user_id if event else parse_user_key(record),
        event_id=(event.event_id or None) if event else None,
        event_type=event.type if event else _type_of(value, failure.error),
        trace=get_header(record, TRACE_HEADER),
        reason=get_error_reason(failure.error),
        message=_message(failure.error),
        body=body,
        body_bytes=len(value),
        body_sha256=digest,
        truncated=not whole,
        replayable=whole,
        failed_at=now,
    )


def build_dead_letter_announcement(letter: DeadLetter) -> DeadLetterAnnounced:
    user_id = letter.user_id or "unknown"
    return DeadLetterAnnounced(
        event_id=derive_event_id("DeadLetterAnnounced", user_id, letter.id),
        occurred_at=letter.failed_at,
        user_id=user_id,
        trace=letter.trace,
        dead_letter_id=letter.id,
        stage=letter.stage,
        reason=letter.reason,
        event_type=letter.event_type,
    )


def _message(error: Exception) -> str:
    if isinstance(error, PalimpsestError):
        return describe_error(error)
    place = locate_error(error)
    return f"{describe_error(error)} at {place}" if place else describe_error(error)


def _kept_body(value: bytes, error: Exception, redact: TextRedactor) -> tuple[str, bool]:
    """Return the part of the bytes to keep, and whether it is all of them."""
    if isinstance(error, NotStorable):
        return redact_everything(""), False
    content = None if isinstance(error, EventTooLarge) else _parsed(value)
    if content is None:
        text = redact(value[:UNFIXABLE_REDACTED_BYTES].decode(errors="replace"))
        return text[:UNFIXABLE_KEPT_CHARACTERS], False
    redacted = _redacted(content, redact)
    # Byte for byte if nothing was redacted, so that the record has the same id after a replay.
    same = redacted == content
    return value.decode() if same else json.dumps(redacted, ensure_ascii=False), True


def _parsed(value: bytes) -> dict[str, Any] | None:
    try:
        content = from_json(value, allow_inf_nan=False)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _redacted(part: Any, redact: TextRedactor) -> Any:
    """Redact every text of a JSON value, except fields that identify the event."""
    if isinstance(part, str):
        return redact(part)
    if isinstance(part, list):
        return [_redacted(item, redact) for item in part]
    if isinstance(part, dict):
        return {key: _redacted_field(key, item, redact) for key, item in part.items()}
    return part


def _redacted_field(key: str, item: Any, redact: TextRedactor) -> Any:
    if key in _IDENTIFYING_FIELDS or (key == "type" and mask_event_type(item) is not None):
        return item
    return _redacted_freely(item, redact) if key == "data" else _redacted(item, redact)


def _redacted_freely(part: Any, redact: TextRedactor) -> Any:
    """Redact every text of free-form JSON, whose field names identify nothing."""
    if isinstance(part, dict):
        return {redact(key): _redacted_freely(item, redact) for key, item in part.items()}
    if isinstance(part, list):
        return [_redacted_freely(item, redact) for item in part]
    return redact(part) if isinstance(part, str) else part


def _type_of(value: bytes, error: Exception) -> str | None:
    content = None if isinstance(error, EventTooLarge) else _parsed(value)
    return mask_event_type(content.get("type")) if content else None


class DeadLetterQueue:
    """The dead letters of one stage."""

    def __init__(
        self,
        *,
        stage: str,
        store: DeadLetterStore,
        publisher: Publisher,
        redact: TextRedactor,
        metrics: StageMetrics,
        clock: Clock,
    ) -> None:
        self._stage = stage
        self._store = store
        self._publisher = publisher
        self._redact = redact
        self._metrics = metrics
        self._clock = clock

    async def dead_letter(self, topic: Topic, failures: Sequence[FailedRecord]) -> None:
        """Store and announce dead letters; the same record stored twice is one letter.

        Raises:
            TransientError: MongoDB or Kafka is away; no offset may be committed yet.
        """
        letters = await self.keep(topic, failures)
        await self._publisher.publish(
            DEAD_LETTERS, [build_dead_letter_announcement(letter) for letter in letters]
        )
        for letter in letters:
            self._metrics.dead_lettered(topic.name, letter.reason)

    async def keep(self, topic: Topic, failures: Sequence[FailedRecord]) -> Sequence[DeadLetter]:
        """Store dead letters without announcing them."""
        letters = [await asyncio.to_thread(self._letter_of, topic, failure) for failure in failures]
        await self._store.put(letters)
        return letters

    async def withdraw(self, letters: Sequence[DeadLetter]) -> None:
        """Delete letters that were stored and not announced."""
        await self._store.withdraw([letter.id for letter in letters])

    def _letter_of(self, topic: Topic, failure: FailedRecord) -> DeadLetter:
        return build_dead_letter(
            failure, stage=self._stage, topic=topic, redact=self._redact, now=self._clock()
        )
