"""Splits messages that are too long into parts.

A part ends with a paragraph, otherwise with a line, a sentence or a word. Each part replies to the
part before it, so that they are found together. All parts together hold the whole text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from palimpsest.model.content_limits import MAXIMUM_CONTENT_BYTES

_ENDINGS = tuple(
    re.compile(ending) for ending in (r"\n\s*\n", r"\n", r"[.!?](?=\s)|[。！？…]", r"\s")
)
"""Places where a text may be cut, best first."""


def split_long_message(
    fields: Mapping[str, Any], maximum_bytes: int = MAXIMUM_CONTENT_BYTES
) -> list[Mapping[str, Any]]:
    """Return the fields of an event in parts; a single part unless it is a message that is too long.

    The first part keeps the id and the pictures. The others are named `ID/2`, `ID/3` and so on.
    """
    text, message_id = fields.get("text"), fields.get("message_id")
    if fields.get("type") != "MessageAdded" or not isinstance(text, str):
        return [fields]
    room = maximum_bytes - _caption_bytes(fields.get("images"))
    if not isinstance(message_id, str) or room <= 0 or _utf8_size(text) <= room:
        return [fields]
    parts: list[Mapping[str, Any]] = []
    for number, (start, end) in enumerate(_cut(text, room), start=1):
        part = {**fields, "text": text[start:end], **_moved_spans(fields, start, end)}
        if number > 1:
            part |= {"message_id": f"{message_id}/{number}", "images": ()}
            part["reply_to"] = parts[-1]["message_id"]
            if "event_id" in fields:
                part["event_id"] = f"{fields['event_id']}/{number}"
        parts.append(part)
    return parts


def _cut(text: str, room: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each part: at most `room` bytes, and never blank."""
    start = 0
    while start < len(text):
        end = _end_of_part(text, start, room)
        if text[end:].isspace():
            # A blank rest would be no message, and holds no content.
            yield start, end
            return
        yield start, end
        start = end


def _end_of_part(text: str, start: int, room: int) -> int:
    fitting = text[start : start + room].encode()[:room].decode(errors="ignore")
    if start + len(fitting) >= len(text):
        return len(text)
    for ending in _ENDINGS:
        ends = [match.end() for match in ending.finditer(fitting)]
        if ends and not fitting[: ends[-1]].isspace():
            return start + ends[-1]
    return start + len(fitting)


def _moved_spans(fields: Mapping[str, Any], start: int, end: int) -> dict[str, Any]:
    """Return the spans of injected memory that lie in this part, relative to its start."""
    spans = fields.get("injected")
    if not _are_spans(spans):
        return {}
    return {
        "injected": [
            {"start": max(span["start"], start) - start, "end": min(span["end"], end) - start}
            for span in spans
            if span["start"] < end and span["end"] > start
        ]
    }


def _are_spans(given: Any) -> TypeGuard[list[Mapping[str, int]]]:
    return isinstance(given, list) and all(
        isinstance(span, Mapping) and {type(span.get(name)) for name in ("start", "end")} == {int}
        for span in given
    )


def _caption_bytes(images: Any) -> int:
    """Return the bytes of captions, which count beside the text, each with a line break."""
    if not isinstance(images, Sequence) or isinstance(images, str):
        return 0
    said = (
        image.get(name)
        for image in images
        if isinstance(image, Mapping)
        for name in ("caption", "alt")
    )
    return sum(_utf8_size(words) + 1 for words in said if isinstance(words, str))


def _utf8_size(text: str) -> int:
    """Return the bytes of a text in UTF-8; 0 for invalid Unicode, which is refused later."""
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return 0
