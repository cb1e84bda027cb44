"""Messages as chat completions have them, `{"role": "user", "content": "…"}`, taken as ours."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from palimpsest.api.problems import INVALID_REASON
from palimpsest.api.resources import FieldProblem, Problem
from palimpsest.client.errors import InvalidRequest
from palimpsest.client.messages import Message
from palimpsest.model.identifiers import derive_id

_OF_THE_MODEL = frozenset(
    {"tool_calls", "tool_call_id", "function_call", "refusal", "annotations", "audio"}
)
"""Fields that only a model reads; they hold nothing that was said."""

_INSTRUCTIONS = frozenset({"system", "developer"})

_NO_MESSAGE = 'must be a Message, or a dict such as {"role": "user", "content": "…"}'
_INSTRUCTED = "tells a model what to do, and is no part of what was said: leave it out"
_SILENT = "says nothing, as a call of a tool does: leave it out"
_NO_PARTS = "must be a text, or a list of parts of the types text and image_url"


def convert_chat_messages(
    given: Sequence[Message | Mapping[str, Any]], *, session_id: str, occurred_at: datetime
) -> list[Message]:
    """Each as a message of ours; `occurred_at` is when those happened that say nothing of it.

    One without a `message_id` is named by its session, its moment, its place among these and
    what it says: the same call again says the same.

    Raises:
        InvalidRequest: with the place and the field at fault.
    """
    if isinstance(given, str | bytes | Mapping):
        raise _wrong("messages", "must be a list of messages")
    return [
        _message(each, place, session_id=session_id, occurred_at=occurred_at)
        for place, each in enumerate(given)
    ]


def _message(each: object, place: int, *, session_id: str, occurred_at: datetime) -> Message:
    if isinstance(each, Message):
        return each
    at = f"messages.{place}"
    if not isinstance(each, Mapping):
        raise _wrong(at, _NO_MESSAGE)
    if each.get("role") in _INSTRUCTIONS:
        raise _wrong(f"{at}.role", _INSTRUCTED)
    fields = {"occurred_at": occurred_at, **_fields(each, at)}
    named = derive_id(
        "message", session_id, str(fields["occurred_at"]), str(place), str(fields.get("text"))
    )
    try:
        return Message(**{"message_id": named, **fields})
    except InvalidRequest as error:
        raise _within(at, error) from None


def _fields(each: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Rename the fields to ours; fields that have our names already stay."""
    fields = {str(name): value for name, value in each.items() if name not in _OF_THE_MODEL}
    if "name" in fields:
        fields["speaker"] = fields.pop("name")
    if "content" in fields:
        text, images = _said(fields.pop("content"), f"{at}.content")
        fields["text"] = text
        if images:
            fields["images"] = images
    return fields


def _said(content: object, at: str) -> tuple[str, list[dict[str, Any]]]:
    """The text, and the pictures beside it."""
    match content:
        case None:
            raise _wrong(at, _SILENT)
        case str():
            return content, []
        case list() | tuple():
            parts = [_part(each, at) for each in content]
            texts = [part for part in parts if isinstance(part, str)]
            return "\n".join(texts), [{"url": part[0]} for part in parts if isinstance(part, tuple)]
        case _:
            raise _wrong(at, _NO_PARTS)


def _part(part: object, at: str) -> str | tuple[str]:
    """A text, or the address of a picture."""
    match part:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            return (url,)
        case _:
            raise _wrong(at, _NO_PARTS)


def _within(at: str, error: InvalidRequest) -> InvalidRequest:
    fields = tuple(
        FieldProblem(field=f"{at}.{field.field}", problem=field.problem) for field in error.fields
    )
    words = "; ".join(f"{field.field}: {field.problem}" for field in fields)
    return InvalidRequest(Problem(reason=INVALID_REASON, message=words, fields=fields))


def _wrong(field: str, words: str) -> InvalidRequest:
    problem = FieldProblem(field=field, problem=words)
    return InvalidRequest(
        Problem(reason=INVALID_REASON, message=f"{field}: {words}", fields=(problem,))
    )
