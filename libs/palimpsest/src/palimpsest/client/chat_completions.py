"""Converts messages of chat completions, `{"role": "user", "content": "…"}`, to messages of ours."""

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
"""Fields that only a model reads; they hold no words of a speaker."""

_INSTRUCTIONS = frozenset({"system", "developer"})

_OF_AN_ANSWER = frozenset({"role", "content", "name"})
"""Fields of an SDK's answer object that hold what was said; the others describe the call."""

_ASSISTANTS = frozenset({"assistant", "agent"})
_NOT_SAID = frozenset({"thinking", "redacted_thinking"})
_OF_TOOLS = ("tool_use", "tool_result")
"""The ends of the types of parts that are calls of tools and their results."""

_NO_MESSAGE = 'must be a Message, or a dict such as {"role": "user", "content": "…"}'
_SILENT = "says nothing"
_NO_PARTS = "must be a text, or a list of parts, each with its type, such as text and image_url"


def convert_chat_messages(
    given: Sequence[Message | Mapping[str, Any]], *, session_id: str, occurred_at: datetime
) -> list[Message]:
    """Each as a message of ours; `occurred_at` is when those happened that say nothing of it.

    Dialogues are taken as the SDKs of OpenAI and Anthropic hold them. Instructions to the model, calls of
    tools and thoughts are no part of what was said, and are left out.

    One without a `message_id` is named by its session, its moment, its place among these and
    what it says: the same call again says the same.

    Raises:
        InvalidRequest: with the place and the field at fault.
    """
    if isinstance(given, str | bytes | Mapping):
        raise _wrong("messages", "must be a list of messages")
    messages = (
        _message(each, place, session_id=session_id, occurred_at=occurred_at)
        for place, each in enumerate(given)
    )
    return [message for message in messages if message is not None]


def _message(each: object, place: int, *, session_id: str, occurred_at: datetime) -> Message | None:
    """Return a message of ours; None if nobody says anything in it."""
    if isinstance(each, Message):
        return each
    at = f"messages.{place}"
    if not isinstance(each, Mapping) and isinstance(answer := _read_object(each), Mapping):
        each = {name: value for name, value in answer.items() if name in _OF_AN_ANSWER}
    if not isinstance(each, Mapping):
        raise _wrong(at, _NO_MESSAGE)
    if each.get("role") in _INSTRUCTIONS or _is_silent(each):
        return None
    fields = {"occurred_at": occurred_at, **_fields(each, at)}
    named = derive_id(
        "message", session_id, str(fields["occurred_at"]), str(place), str(fields.get("text"))
    )
    try:
        return Message(**{"message_id": named, **fields})
    except InvalidRequest as error:
        raise _within(at, error) from None


def _read_object(each: object) -> object:
    """Return what an object of an SDK would be as JSON."""
    dump = getattr(each, "model_dump", None)
    return each if dump is None else dump(mode="json", exclude_none=True)


def _is_silent(each: Mapping[str, Any]) -> bool:
    """Tell whether a message only calls tools, tells their results, or thinks."""
    content = each.get("content", each.get("text"))
    if isinstance(content, list | tuple):
        return bool(content) and not _said_parts(content)
    return not content and each.get("role") in _ASSISTANTS


def _said_parts(content: Sequence[object]) -> list[object]:
    return [part for part in map(_read_object, content) if not _is_of_model(part)]


def _is_of_model(part: object) -> bool:
    kind = part.get("type") if isinstance(part, Mapping) else None
    return isinstance(kind, str) and (kind in _NOT_SAID or kind.endswith(_OF_TOOLS))


def _fields(each: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Rename fields of chat completions to ours; fields with our names stay."""
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
    """Return the text, its pictures, and the spans that name other parts."""
    from palimpsest.client.content_parts import join_content_parts  # noqa: PLC0415 - texts need none

    if content is None:
        raise _wrong(at, _SILENT)
    parts = _said_parts(content) if isinstance(content, list | tuple) else None
    if parts is None or (said := join_content_parts(parts)) is None:
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
