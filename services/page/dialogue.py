"""A pasted dialogue: its messages, and the words in them that were remembered or left out."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from palimpsest.api.extraction_preview import ExtractionPreview, PreviewMessage
from palimpsest.model.turn import Role

MAXIMUM_MESSAGES = 50
"""The most messages of one preview."""

_SPEAKER = re.compile(r"^\s*([^\s:：][^:：\n]{0,30}?)\s*[:：]\s*(.*)$")
_ROLES = {
    "user": Role.USER,
    "me": Role.USER,
    "i": Role.USER,
    "human": Role.USER,
    "用户": Role.USER,
    "我": Role.USER,
    "assistant": Role.AGENT,
    "agent": Role.AGENT,
    "ai": Role.AGENT,
    "bot": Role.AGENT,
    "助手": Role.AGENT,
    "tool": Role.TOOL,
    "工具": Role.TOOL,
}


class Stretch(NamedTuple):
    """A stretch of a message."""

    text: str
    number: int | None = None
    """The number of the memory that rests on it, from 1; None for none."""


def parse_dialogue(text: str) -> tuple[PreviewMessage, ...]:
    """Parse a dialogue: a line that begins with `user:`, `助手：` and the like begins a message.

    Text before the first such line is the user's.
    """
    messages: list[tuple[Role, list[str]]] = []
    for line in text.strip().splitlines():
        opening = _SPEAKER.match(line)
        role = _ROLES.get(opening[1].lower()) if opening else None
        if opening and role:
            messages.append((role, [opening[2]]))
        elif messages:
            messages[-1][1].append(line)
        else:
            messages.append((Role.USER, [line]))
    said = ((role, "\n".join(lines).strip()) for role, lines in messages)
    return tuple(PreviewMessage(role=role, text=words) for role, words in said if words)


def mark_messages(preview: ExtractionPreview) -> Sequence[Sequence[Stretch]]:
    """Cut each message into stretches, those that memories quote with the number of the memory."""
    quotes: dict[int, list[tuple[str, int]]] = {}
    for number, memory in enumerate(preview.memories, start=1):
        for evidence in memory.evidence:
            if evidence.message_id is not None and evidence.message_id.isdecimal():
                quotes.setdefault(int(evidence.message_id), []).append((evidence.quote, number))
    return [
        mark_quotes(text, quotes.get(at, ())) for at, text in enumerate(preview.messages, start=1)
    ]


def mark_quotes(text: str, quotes: Iterable[tuple[str, int]]) -> list[Stretch]:
    """Cut a text into stretches. Of quotes that overlap, the one that begins first is marked."""
    places = sorted(
        (start, -len(quote), number)
        for quote, number in quotes
        if quote and (start := text.find(quote)) >= 0
    )
    stretches: list[Stretch] = []
    position = 0
    for start, negative_length, number in places:
        if start < position:
            continue
        if start > position:
            stretches.append(Stretch(text[position:start]))
        position = start - negative_length
        stretches.append(Stretch(text[start:position], number))
    if position < len(text):
        stretches.append(Stretch(text[position:]))
    return stretches
