"""A dead letter with every field set."""

from datetime import UTC, datetime
from typing import Any

from palimpsest_server.stores.dead_letters import DeadLetter

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def letter(letter_id: str, **changed: Any) -> DeadLetter:
    fields: dict[str, Any] = {
        "id": letter_id,
        "stage": "ingest",
        "topic": "conversations",
        "partition": 3,
        "offset": 41,
        "user_id": "小明",
        "reason": "invalid_event",
        "message": "text: must not be empty",
        "body": '{"text": "早上好 \u0000"}',
        "body_bytes": 25,
        "body_sha256": "0" * 64,
        "replayable": True,
        "failed_at": NOON,
    }
    return DeadLetter(**fields | changed)
