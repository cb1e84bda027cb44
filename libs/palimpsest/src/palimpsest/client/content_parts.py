"""The parts of a chat completion's message: texts, pictures, and others.

Texts are kept, and pictures beside them. Any other part is replaced by its type in the text, such
as `[input_audio]`, as a span that is not remembered, so the words around it are kept.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

MAXIMUM_ENCLOSED_CHARACTERS = 512 * 1024
"""The most characters of pictures that one message carries in itself. The stored record holds twice
as much.
"""

_TEXTS = frozenset({"text", "input_text", "output_text"})
_ENCLOSED = "data:"


class SaidParts(NamedTuple):
    """The joined parts of a message, by our field names."""

    text: str
    images: tuple[Mapping[str, str], ...] = ()
    injected: tuple[Mapping[str, int], ...] = ()
    """Spans of the text that name the parts left out."""


def join_content_parts(parts: Sequence[object]) -> SaidParts | None:
    """Join the parts of one message; None if one of them is not a valid part."""
    lines: list[str] = []
    images: list[Mapping[str, str]] = []
    named: list[Mapping[str, int]] = []
    room, position = MAXIMUM_ENCLOSED_CHARACTERS, 0
    for part in parts:
        if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
            return None
        if (url := _picture_address(part)) is not None and _size_inside(url) <= room:
            room -= _size_inside(url)
            images.append({"url": url})
            continue
        text = _text(part)
        if text is None:
            text = f"[{part['type']}]"
            named.append({"start": position, "end": position + len(text)})
        lines.append(text)
        position += len(text) + 1
    return SaidParts("\n".join(lines), tuple(images), tuple(named))


def _text(part: Mapping[str, Any]) -> str | None:
    text = part.get("text")
    return text if part["type"] in _TEXTS and isinstance(text, str) else None


def _picture_address(part: Mapping[str, Any]) -> str | None:
    """Return a picture's address in any form of today's chat APIs; None if the part has none."""
    match part:
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            return url
        case {"type": "image_url" | "input_image", "image_url": str(url)}:
            return url
        case {"type": "image", "source": {"type": "url", "url": str(url)}}:
            return url
        case {
            "type": "image",
            "source": {"type": "base64", "media_type": str(media_type), "data": str(data)},
        }:
            return f"{_ENCLOSED}{media_type};base64,{data}"
        case _:
            return None


def _size_inside(url: str) -> int:
    return len(url) if url.startswith(_ENCLOSED) else 0
