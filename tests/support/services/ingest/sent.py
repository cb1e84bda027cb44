"""Events that a chat service sends beside messages."""

from datetime import timedelta

from palimpsest.events.conversations import RememberRequested, SessionEnded
from tests.support.turns import MORNING


def ended(number: int = 1) -> SessionEnded:
    return SessionEnded(
        user_id="lin", session_id="s", occurred_at=MORNING + timedelta(hours=number)
    )


def remember(text: str = "I am allergic to peanuts.", **fields: object) -> RememberRequested:
    given = {"user_id": "lin", "content": text, "occurred_at": MORNING, **fields}
    return RememberRequested.model_validate(given)
