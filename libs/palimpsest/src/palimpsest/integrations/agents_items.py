"""Items of the OpenAI Agents SDK as messages: their roles and words, or their JSON, in parts if long."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from pydantic_core import from_json, to_json

from palimpsest.model.content_limits import MAXIMUM_CONTENT_BYTES
from palimpsest.model.turn import Role, Turn

_SPOKEN = {"user": Role.USER, "assistant": Role.AGENT}
_TEXT_PARTS = frozenset({"input_text", "output_text", "text"})

REMOVED = "palimpsest_removed"
"""The type of an item that takes back the last one, or all before it: messages are never unsaid."""

_PART = "palimpsest_part"
"""The type of an item that holds a part of the JSON of a longer one."""

_PART_CHARACTERS = MAXIMUM_CONTENT_BYTES // 4 - 256
"""Even where each takes four bytes, or two because it is escaped, a part is within the limit."""


def write_item(item: Mapping[str, Any]) -> list[tuple[Role, str]]:
    """Return the role and text of an item; of what is no plain message, its JSON as of a tool.

    The JSON of what is over the limit of a message comes in parts.
    """
    role = _SPOKEN.get(str(item.get("role")))
    text = _find_text(item.get("content"))
    is_said = role is not None and text is not None and bool(text.strip())
    if role is not None and text is not None and is_said and _fits(text):
        return [(role, text)]
    written = to_json(item).decode()
    return [(Role.TOOL, each) for each in ([written] if _fits(written) else _split(written))]


def _fits(text: str) -> bool:
    return len(text.encode()) <= MAXIMUM_CONTENT_BYTES


def _split(written: str) -> Iterator[str]:
    whole = uuid4().hex
    for start in range(0, len(written), _PART_CHARACTERS):
        end = start + _PART_CHARACTERS
        part = {"type": _PART, "of": whole, "json": written[start:end]}
        yield to_json({**part, "last": end >= len(written)}).decode()


def _find_text(content: object) -> str | None:
    """Return the words of a message; None if it has parts that are no words."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    if not parts or any(part.get("type") not in _TEXT_PARTS for part in parts):
        return None
    return "".join(part["text"] for part in parts)


def read_items(turns: Iterable[Turn]) -> list[dict[str, Any]]:
    """Return the items of a conversation that were not taken back."""
    items: list[dict[str, Any]] = []
    begun: dict[str, str] = {}
    for turn in turns:
        if turn.role is not Role.TOOL:
            role = "user" if turn.role is Role.USER else "assistant"
            items.append({"role": role, "content": turn.text})
            continue
        item = _read_object(turn.text)
        if item is not None and item.get("type") == _PART:
            whole = str(item.get("of"))
            begun[whole] = begun.get(whole, "") + str(item.get("json"))
            item = _read_object(begun.pop(whole)) if item.get("last") else None
        if item is None:
            continue
        if item.get("type") != REMOVED:
            items.append(item)
        elif item.get("which") == "all":
            items.clear()
        else:
            del items[-1:]
    return items


def _read_object(text: str) -> dict[str, Any] | None:
    """Return what a tool's message holds; None if another program wrote it into the conversation."""
    try:
        found = from_json(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
