"""Messages as chat completions have them, `{"role": "user", "content": "…"}`, taken as ours."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from palimpsest.api.problems import INVALID_REASON
from palimpsest.api.resources import FieldProblem, Problem
from palimpsest.client.errors import InvalidRequest
from palimpsest.client.messages import Message
from palimpsest.model.identifiers import derive_id

if TYPE_CHECKING:
    from palimpsest.client.content_parts import SaidParts

_OF_THE_MODEL = frozenset(
    {"tool_calls", "tool_call_id", "function_call", "refusal", "annotations", "audio"}
)
"""Fields that only a model reads; they hold nothing that was said."""

_INSTRUCTIONS = frozenset({"system", "developer"})

_NO_MESSAGE = 'must be a Message, or a dict such as {"role": "user", "content": "…"}'
_INSTRUCTED = "tells a model what to do, and is no part of what was said: leave it out"
_SILENT = "says nothing, as a call of a tool does: leave it out"
_NO_PARTS = "must be a text, or a list of parts, each with its type, such as text and image_url"


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
    if isinstance(fields.get("content"), str):
        fields["text"] = fields.pop("content")
    if "content" in fields:
        said = _join(fields.pop("content"), f"{at}.content")
        fields["text"] = said.text
        if said.images:
            fields["images"] = said.images
        if said.injected:
            fields["injected"] = (*fields.get("injected", ()), *said.injected)
    return fields


def _join(content: object, at: str) -> "SaidParts":
    """The text, the pictures beside it, and where the text names what is neither."""
    from palimpsest.client.content_parts import join_content_parts  # noqa: PLC0415 - texts need none

    if content is None:
        raise _wrong(at, _SILENT)
    if not isinstance(content, list | tuple) or (said := join_content_parts(content)) is None:
        raise _wrong(at, _NO_PARTS)
    return said


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
