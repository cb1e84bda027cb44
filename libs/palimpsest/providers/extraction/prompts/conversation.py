"""How a conversation is shown to a model: one JSON object a line, numbered, the new ones marked.

As JSON, no message can pretend to be another one: its line breaks and quotes are escaped.
"""

import json
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from palimpsest.domain.turn import Role
from palimpsest.domain.user import Language
from palimpsest.domain.writing import language_of
from palimpsest.providers.extraction.messages import Message


def shown(messages: Sequence[Message], *, time_zone: str) -> str:
    """The messages for a prompt; times are the user's own."""
    zone = ZoneInfo(time_zone)
    return "\n".join(_line(message, zone) for message in messages)


def _line(message: Message, zone: ZoneInfo) -> str:
    line = {
        "n": message.number,
        "new": message.fresh,
        "from": message.role.value,
        "name": message.speaker,
        "at": message.occurred_at.astimezone(zone).strftime("%Y-%m-%d %H:%M %A"),
        "text": message.text,
    }
    return json.dumps(
        {key: value for key, value in line.items() if value is not None}, ensure_ascii=False
    )


def conversation_language(messages: Sequence[Message]) -> Language:
    """What its people write in the new messages, or whoever writes there, or anywhere."""
    fresh = [message for message in messages if message.fresh]
    people = [message for message in fresh if message.role is Role.USER]
    speaking = people or fresh or messages
    return language_of("\n".join(message.text for message in speaking))
