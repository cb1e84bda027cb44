"""Limits on the size of content and data in an event."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, JsonValue
from pydantic_core import PydanticCustomError

from palimpsest.model.turn import ImageReference

MAXIMUM_CONTENT_BYTES = 64 * 1024
MAXIMUM_DATA_BYTES = 16 * 1024
MAXIMUM_DATA_DEPTH = 32
"""The most levels of data. MongoDB nests no deeper than 100, and a memory is deep in a change set.
"""

_INTEGERS = range(-(2**63), 2**63)
# The integers that MongoDB stores.

CONTENT_TOO_LARGE = "content_too_large"
"""The type of pydantic's error for content above the limit."""


def _content(text: str) -> str:
    if not text or text.isspace():
        raise PydanticCustomError("empty", "must not be empty")
    return check_content_size(text)


def check_content_size(text: str) -> str:
    """Return the text if it is within the limit.

    Raises:
        PydanticCustomError: it is larger, or invalid Unicode.
    """
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise PydanticCustomError("not_unicode", "must be valid Unicode") from None
    if size > MAXIMUM_CONTENT_BYTES:
        raise PydanticCustomError(
            CONTENT_TOO_LARGE, f"must be at most {MAXIMUM_CONTENT_BYTES} bytes of UTF-8"
        )
    return text


Content = Annotated[str, AfterValidator(_content)]
"""Text that is not empty, and at most 64 KiB of UTF-8."""


def validate_captioned_content(images: Sequence[ImageReference], text: str) -> str:
    """Return a text that may be blank beside pictures; their captions count towards its limit.

    Raises:
        PydanticCustomError: text and pictures are both missing, or too large.
    """
    check_content_size("\n".join([text, *(words for image in images for words in image.words)]))
    return text if images else _content(text)


def _free_data(data: dict[str, Any]) -> dict[str, Any]:
    try:
        size = len(json.dumps(data, ensure_ascii=False, allow_nan=False).encode())
    except ValueError:
        raise PydanticCustomError(
            "not_json", "must be JSON, with finite numbers and valid Unicode"
        ) from None
    if size > MAXIMUM_DATA_BYTES:
        raise PydanticCustomError(
            CONTENT_TOO_LARGE, f"must be at most {MAXIMUM_DATA_BYTES} bytes of JSON"
        )
    check_storable(data)
    return data


def check_storable(part: object, depth: int = MAXIMUM_DATA_DEPTH) -> None:
    """Check that a store can hold a value, before it is accepted.

    Raises:
        PydanticCustomError: its integers are too large, it is too deep, or a name has a null character.
    """
    if isinstance(part, int) and part not in _INTEGERS:
        raise PydanticCustomError("integer_too_large", "must have integers of at most 64 bits")
    if not isinstance(part, dict | list):
        return
    if depth == 0:
        raise PydanticCustomError("too_deep", f"must be at most {MAXIMUM_DATA_DEPTH} levels deep")
    if isinstance(part, dict) and any("\x00" in name for name in part):
        raise PydanticCustomError("null_in_name", "must not have null characters in names")
    for each in part.values() if isinstance(part, dict) else part:
        check_storable(each, depth - 1)


FreeData = Annotated[dict[str, JsonValue], AfterValidator(_free_data)]
"""JSON of any shape: at most 16 KiB and 32 levels, with integers of at most 64 bits."""
