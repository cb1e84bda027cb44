"""Messages that are longer than a message may be, in parts that are not.

A part ends with a paragraph, else with a line, a sentence or a word. It answers the part before it, so
that what belongs together can be found again. All parts together say what the message said.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from palimpsest.model.content_limits import MAXIMUM_CONTENT_BYTES

_ENDINGS = tuple(
    re.compile(ending) for ending in (r"\n\s*\n", r"\n", r"[.!?](?=\s)|[。！？…]", r"\s")
)
"""Places where a text may be cut, the best first."""


def split_long_message(
    fields: Mapping[str, Any], maximum_bytes: int = MAXIMUM_CONTENT_BYTES
) -> list[Mapping[str, Any]]:
    """Return the fields of an event in parts; one alone where it is no message that is too long.

    The first part keeps the id and the pictures, the others are named `ID/2`, `ID/3` and so on.
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
    """Yield the stretches of a text, each of at most `room` bytes and none of them blank."""
    start = 0
    while start < len(text):
        end = _end_of_part(text, start, room)
        if text[end:].isspace():
            # What is blank would be no message; nothing is said in it.
            yield start, end
            return
        yield start, end
        start = end


def _end_of_part(text: str, start: int, room: int) -> int:
    fitting = text[start : start + room].encode()[:room].decode(errors="ignore")
    if start + len(fitting) >= len(text):
        return len(text)
    for ending in _ENDINGS:
        ends = [found.end() for found in ending.finditer(fitting)]
        if ends and not fitting[: ends[-1]].isspace():
            return start + ends[-1]
    return start + len(fitting)


def _moved_spans(fields: Mapping[str, Any], start: int, end: int) -> dict[str, Any]:
    """Return the stretches that came out of memory, as far as they lie in this part."""
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
    """Captions count beside the text, each on a line of its own."""
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
    """0 of what is no Unicode: it is refused as it is."""
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return 0
