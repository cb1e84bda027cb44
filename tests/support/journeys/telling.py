"""Conversations of several days, saved and extracted."""

from datetime import UTC, datetime, timedelta

from palimpsest.client import Message, PalimpsestClient
from palimpsest.model.turn import Role

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


async def said(client: PalimpsestClient, user_id: str, *texts: str) -> None:
    """On days that follow each other, each in a session of its own."""
    for number, text in enumerate(texts):
        at = NOON + timedelta(days=number)
        message = Message(message_id="m", role=Role.USER, text=text, occurred_at=at)
        session = f"s{number}"
        await client.save_conversation([message], user_id=user_id, session_id=session)
        await client.extract(session, user_id=user_id)
