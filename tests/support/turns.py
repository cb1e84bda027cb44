"""Turns and messages for tests of whatever deals with them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.events.conversations import MessageAdded
from palimpsest.model.turn import Role, Turn, turn_id

MORNING = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def message(number: int, **fields: Any) -> MessageAdded:
    """What user lin, or an agent after every odd number, says in session s."""
    given: dict[str, Any] = {
        "user_id": "lin",
        "session_id": "s",
        "message_id": f"m{number}",
        "role": Role.USER if number % 2 else Role.AGENT,
        "text": f"message number {number}",
        "occurred_at": MORNING + timedelta(minutes=number),
    }
    return MessageAdded(**{**given, **fields})


def turn(number: int, **fields: Any) -> Turn:
    """The same, as a turn in its place; `sequence=None` for one without."""
    given: dict[str, Any] = {
        "user_id": "lin",
        "session_id": "s",
        "message_id": f"m{number}",
        "role": Role.USER if number % 2 else Role.AGENT,
        "text": f"message number {number}",
        "occurred_at": MORNING + timedelta(minutes=number),
        "received_at": MORNING,
        "epoch": 0,
        "sequence": number,
    }
    merged = {**given, **fields}
    identifier = turn_id(merged["user_id"], merged["session_id"], merged["message_id"])
    return Turn(**{"id": identifier, "event_id": f"e-{identifier}", **merged})
