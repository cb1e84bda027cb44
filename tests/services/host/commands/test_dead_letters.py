"""What was set aside, as a terminal shows it."""

from datetime import UTC, datetime
from typing import Any

from palimpsest_server.stores.dead_letters import DeadLetter
from services.host.commands.dead_letters import format_dead_letter

ID = "0f0e1a52-6c1c-5d5e-9b0e-2f6f0b8b7a11"


def letter(**fields: Any) -> DeadLetter:
    return DeadLetter.model_validate(
        {
            "id": ID,
            "stage": "ingest",
            "topic": "conversations",
            "partition": 0,
            "offset": 1,
            "event_type": "MessageAdded",
            "reason": "invalid_event",
            "message": "occurred_at: " + "must have a time zone " * 10,
            "body": "{}",
            "body_bytes": 2,
            "body_sha256": "0",
            "replayable": True,
            "failed_at": datetime(2026, 3, 2, 9, 30, tzinfo=UTC),
            **fields,
        }
    )


def test_its_id_stands_alone_so_that_it_can_be_copied() -> None:
    first, about, _, replay = format_dead_letter(letter()).splitlines()
    assert first == ID
    assert about.split() == [
        "2026-03-02", "09:30:00", "ingest,", "invalid_event,", "MessageAdded",
    ]  # fmt: skip
    assert replay.strip() == "can be replayed"


def test_why_one_cannot_be_replayed_is_said() -> None:
    words = format_dead_letter(letter(replayable=False, event_type=None))
    assert words.splitlines()[-1].strip() == "not to be replayed: its bytes were not kept"
    assert "None" not in words
