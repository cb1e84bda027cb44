"""Limits of content and data: how much an event may carry."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, JsonValue
from pydantic_core import PydanticCustomError

from palimpsest.model.turn import ImageReference

MAXIMUM_CONTENT_BYTES = 64 * 1024
MAXIMUM_DATA_BYTES = 16 * 1024
MAXIMUM_DATA_DEPTH = 32
"""MongoDB nests no deeper than 100, and a memory lies deep in a change set."""

_INTEGERS = range(-(2**63), 2**63)
# What MongoDB can keep.

CONTENT_TOO_LARGE = "content_too_large"
"""The type of pydantic's error where content is above the limit."""


def _content(text: str) -> str:
    if not text or text.isspace():
        raise PydanticCustomError("empty", "must not be empty")
    return check_content_size(text)


def check_content_size(text: str) -> str:
    """The text itself, where it is no larger than content may be.

    Raises:
        PydanticCustomError: it is, or it is no Unicode.
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
"""Not empty, and at most 64 KiB of UTF-8."""


def validate_captioned_content(images: Sequence[ImageReference], text: str) -> str:
    """A text that may be blank beside pictures, and must fit beside what is said of them.

    Raises:
        PydanticCustomError: nothing is said or shown at all, or too much said.
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
    _keepable(data, MAXIMUM_DATA_DEPTH)
    return data


def _keepable(part: object, depth: int) -> None:
    """Refuse values that no store could keep, before they are accepted."""
    if isinstance(part, int) and part not in _INTEGERS:
        raise PydanticCustomError("integer_too_large", "must have integers of at most 64 bits")
    if not isinstance(part, dict | list):
        return
    if depth == 0:
        raise PydanticCustomError("too_deep", f"must be at most {MAXIMUM_DATA_DEPTH} levels deep")
    if isinstance(part, dict) and any("\x00" in name for name in part):
        raise PydanticCustomError("null_in_name", "must not have null characters in names")
    for each in part.values() if isinstance(part, dict) else part:
        _keepable(each, depth - 1)


FreeData = Annotated[dict[str, JsonValue], AfterValidator(_free_data)]
"""JSON of a memory's own shape: at most 16 KiB and 32 levels, integers of at most 64 bits."""
