"""Receives events: parses fields that came over HTTP, and stamps accepted events.

Unknown fields are refused, stamps of the client are ignored, and errors name their field.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar

from pydantic import ValidationError

from palimpsest.api.problems import TOO_LARGE_REASON, build_validation_problem
from palimpsest.api.resources import FieldProblem, Problem
from palimpsest.events.conversations import MessageAdded
from palimpsest.events.envelope import Event
from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.content_limits import CONTENT_TOO_LARGE
from palimpsest.model.errors import (
    InvalidEvent,
    PermanentError,
    UnknownEventType,
    UnknownMajorVersion,
)
from palimpsest.model.value_types import Instant
from palimpsest_server.stores.accepted_requests import AcceptedRequest

ConversationEvent: TypeAlias = MessageAdded | AcceptedRequest

EventT = TypeVar("EventT", bound=Event)

_STAMPED = frozenset({"received_at", "epoch"})
"""Fields that ingest sets, whatever a client sends."""

_NOT_FROM_OUTSIDE = frozenset({"vectors"})
"""Fields that only the embedder makes."""

_TYPES = ", ".join(str(model.model_fields["type"].default) for model in CONVERSATIONS.models)


class UnreadableEvent(Exception):
    """The fields do not make an event."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def parse_event(fields: Mapping[str, Any]) -> ConversationEvent:
    """Parse an event.

    Raises:
        UnreadableEvent: the fields break the contract; its problem names the field.
    """
    model = _model(fields.get("type"))
    _check_major(model, fields.get("schema_version", 1))
    given = {name: value for name, value in fields.items() if name not in _STAMPED}
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
    if any(problem["type"] == CONTENT_TOO_LARGE for problem in problems):
        return problem.model_copy(update={"reason": TOO_LARGE_REASON})
    return problem


def stamp_event(event: EventT, *, received_at: Instant, epoch: int) -> EventT:
    """Set the time of receipt and the epoch of an event. Only ingest sets them."""
    return event.model_copy(update={"received_at": received_at, "epoch": epoch})
