"""Show a conversation to a model: one JSON object a line, numbered, new messages marked.

As JSON, no message can pretend to be another one: its line breaks and quotes are escaped.
What is the same as in the line before is not said again: each word is paid for with every question.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from palimpsest_language.dialogue import DialogueMessage


def format_messages(
    messages: Sequence[DialogueMessage], *, time_zone: str, marked: bool = True
) -> str:
    """The messages for a prompt, the new ones `marked`; times are the user's own.

    The day stands where it begins, the hour where it is another one than before.
    """
    zone = ZoneInfo(time_zone)
    lines: list[str] = []
    before: datetime | None = None
    for message in messages:
        at = message.occurred_at.astimezone(zone).replace(second=0, microsecond=0)
        lines.append(_line(message, _told(at, before), marked=marked))
        before = at
    return "\n".join(lines)


def _told(at: datetime, before: datetime | None) -> str | None:
    if before is None or at.date() != before.date():
        return at.strftime("%Y-%m-%d %H:%M %A")
    return None if at == before else at.strftime("%H:%M")


def _line(message: DialogueMessage, at: str | None, *, marked: bool) -> str:
    line = {
        "n": message.number,
        "new": True if marked and message.fresh else None,
        "from": message.role.value,
        "name": message.speaker,
        "at": at,
        "text": message.text,
    }
    return json.dumps(
        {key: value for key, value in line.items() if value is not None},
        ensure_ascii=False,
        separators=(",", ":"),
    )
