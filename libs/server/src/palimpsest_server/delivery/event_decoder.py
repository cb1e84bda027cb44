"""Decode bytes to events, or raise a typed reason. No I/O; no error repeats its input."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json

from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic
from palimpsest.model.content_limits import CONTENT_TOO_LARGE
from palimpsest.model.errors import (
    EventTooLarge,
    InvalidEvent,
    UnknownEventType,
    UnknownMajorVersion,
)
from palimpsest.model.value_types import STORED

MAXIMUM_FIELDS_NAMED = 5
MAXIMUM_TYPE_CHARACTERS = 64

_PLAIN_WORDS = {"union_tag_invalid": "unknown kind", "string_unicode": "must be valid Unicode"}


class UndecodableEvent(InvalidEvent):
    """The record is not a JSON object."""

    reason = "undecodable"


def decode_event(topic: Topic, value: bytes | None) -> Event:
    """Decode the event of a record on this topic.

    Raises:
        EventTooLarge: the record is larger than the topic allows.
        UndecodableEvent: the record is not a JSON object.
        UnknownEventType: no event of this type belongs to this topic.
        UnknownMajorVersion: the event has a newer major version than this program reads.
        InvalidEvent: a field breaks the contract.
    """
    if value is None:
        raise UndecodableEvent("the record is empty")
    if len(value) > topic.maximum_record_bytes:
        raise EventTooLarge(
            f"{len(value)} bytes, more than the {topic.maximum_record_bytes} that {topic.name} takes"
        )
    try:
        fields = from_json(value, allow_inf_nan=False)
    except ValueError:
        raise UndecodableEvent("the record is not JSON") from None
    if not isinstance(fields, dict):
        raise UndecodableEvent("the record is not a JSON object")
    return parse_event(topic, fields)


def parse_event(topic: Topic, fields: Mapping[str, Any]) -> Event:
    """Parse an event from its fields, by the topic's table of models; raises as `decode_event` does."""
    event_type = fields.get("type")
    model = topic.model_named(event_type) if isinstance(event_type, str) else None
    if model is None:
        name = mask_event_type(event_type) or "an event without a readable type"
        raise UnknownEventType(f"{name} does not travel on {topic.name}")
    version = fields.get("schema_version", 1)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InvalidEvent("schema_version: must be a number from 1 on")
    if version > model.SCHEMA_VERSION:
        raise UnknownMajorVersion(
            f"schema_version {min(version, 10**6)} of {model.__name__}; "
            f"this version reads up to {model.SCHEMA_VERSION}"
        )
    try:
        # Unknown fields are ignored at every depth, because a turn or memory in an event may be newer too.
        # Services validated these events already, maybe by the rules of an older version.
        context = STORED if topic.is_internal else None
        return model.model_validate(fields, extra="ignore", context=context)
    except ValidationError as error:
        raise build_invalid_event_error(error) from None


def build_invalid_event_error(error: ValidationError) -> InvalidEvent:
    """Build an error that names the invalid fields and their problems, without their values."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    named = [
        f"{_place(problem['loc'])}: {_words(problem)}"
        for problem in problems[:MAXIMUM_FIELDS_NAMED]
    ]
    if len(problems) > MAXIMUM_FIELDS_NAMED:
        named.append(f"and {len(problems) - MAXIMUM_FIELDS_NAMED} more")
    words = "; ".join(named)
    if any(problem["type"] == CONTENT_TOO_LARGE for problem in problems):
        return EventTooLarge(words)
    return InvalidEvent(words)


def _place(steps: tuple[int | str, ...]) -> str:
    """Return the place in the event; unknown field names are masked, because they are the sender's words."""
    return (
        ".".join(
            str(step) if isinstance(step, int) else mask_event_type(step) or "?" for step in steps
        )
        or "event"
    )


def _words(problem: ErrorDetails) -> str:
    """Return pydantic's message, except for errors that repeat the input or Python's own words."""
    return _PLAIN_WORDS.get(problem["type"], problem["msg"])


def mask_event_type(event_type: object) -> str | None:
    """Return a type's name if it looks like a name; anything else might be content."""
    if (
        isinstance(event_type, str)
        and event_type.isascii()
        and event_type.isidentifier()
        and len(event_type) <= MAXIMUM_TYPE_CHARACTERS
    ):
        return event_type
    return None
