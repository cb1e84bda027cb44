"""A pasted dialogue: its messages, and the words in them that were remembered or left out."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
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
    is_quoted: bool = False
    """True if a memory rests on it."""
    numbers: tuple[int, ...] = ()
    """The numbers, from 1, of the memories whose quotes end with it."""


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
    """Cut each message into stretches, those that memories quote with the numbers of the memories."""
    quotes: dict[int, list[tuple[str, int]]] = {}
    for number, memory in enumerate(preview.memories, start=1):
        for evidence in memory.evidence:
            if evidence.message_id is not None and evidence.message_id.isdecimal():
                quotes.setdefault(int(evidence.message_id), []).append((evidence.quote, number))
    return [
        mark_quotes(text, quotes.get(at, ())) for at, text in enumerate(preview.messages, start=1)
    ]


def mark_quotes(text: str, quotes: Iterable[tuple[str, int]]) -> list[Stretch]:
    """Cut a text where quotes begin and end; quotes may overlap, and several may be the same words."""
    places = [
        (start, start + len(quote), number)
        for quote, number in quotes
        if quote and (start := text.find(quote)) >= 0
    ]
    cuts = sorted({0, len(text), *(cut for start, end, _ in places for cut in (start, end))})
    return [
        Stretch(
            text[begin:end],
            any(first <= begin < last for first, last, _ in places),
            tuple(sorted(number for _, last, number in places if last == end)),
        )
        for begin, end in pairwise(cuts)
    ]
