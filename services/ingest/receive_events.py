"""Fields sent over HTTP, as events: unknown ones refused, stamps ignored, problems by field."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from palimpsest.api.problems import TOO_LARGE_REASON, build_validation_problem
from palimpsest.api.resources import FieldProblem, Problem
from palimpsest.events.envelope import Event
from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.content_limits import CONTENT_TOO_LARGE
from palimpsest.model.errors import (
    InvalidEvent,
    PermanentError,
    UnknownEventType,
    UnknownMajorVersion,
)
from services.ingest.prepare_events import ConversationEvent

_OURS = frozenset({"received_at", "epoch"})
"""Stamped by ingest whatever a client says."""

_NOT_FROM_OUTSIDE = frozenset({"vectors"})
"""Made by the embedder alone."""

_TYPES = ", ".join(str(model.model_fields["type"].default) for model in CONVERSATIONS.models)


class UnreadableEvent(Exception):
    """Fields that make no event."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def parse_event(fields: Mapping[str, Any]) -> ConversationEvent:
    """The event that these fields say.

    Raises:
        Unreadable: they break the contract, in the way that its problem names.
    """
    model = _model(fields.get("type"))
    _check_major(model, fields.get("schema_version", 1))
    given = {name: value for name, value in fields.items() if name not in _OURS}
    refused = [
        {"type": "extra_forbidden", "loc": (name,)}
        for name in sorted(_NOT_FROM_OUTSIDE & given.keys())
    ]
    if refused:
        raise UnreadableEvent(build_validation_problem(refused))
    try:
        event = model.model_validate(given, extra="forbid")
    except ValidationError as error:
        raise UnreadableEvent(_invalid(error)) from None
    if not isinstance(event, ConversationEvent):
        raise TypeError(f"{type(event).__name__} is no event of a conversation")
    return event


def build_unreadable_event(field: str, error: PermanentError) -> UnreadableEvent:
    words = str(error)
    problem = FieldProblem(field=field, problem=words)
    return UnreadableEvent(Problem(reason=error.reason, message=words, fields=(problem,)))


def _model(event_type: object) -> type[Event]:
    model = CONVERSATIONS.model_named(event_type) if isinstance(event_type, str) else None
    if model is None:
        raise build_unreadable_event("type", UnknownEventType(f"must be one of {_TYPES}"))
    return model


def _check_major(model: type[Event], version: object) -> None:
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise build_unreadable_event("schema_version", InvalidEvent("must be a number from 1 on"))
    if version > model.SCHEMA_VERSION:
        words = f"newer than this version reads, which is up to {model.SCHEMA_VERSION}"
        raise build_unreadable_event("schema_version", UnknownMajorVersion(words))


def _invalid(error: ValidationError) -> Problem:
    problems = error.errors(include_url=False)
    problem = build_validation_problem(problems)
    if any(each["type"] == CONTENT_TOO_LARGE for each in problems):
        return problem.model_copy(update={"reason": TOO_LARGE_REASON})
    return problem
