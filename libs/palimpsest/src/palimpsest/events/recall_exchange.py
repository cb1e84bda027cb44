"""Requests for recall and context over Kafka, and their replies."""

from typing import Literal

from palimpsest.api.context import ContextRequest, ContextResponse
from palimpsest.api.recall import RecallRequest, RecallResponse
from palimpsest.events.envelope import Event
from palimpsest.model.value_types import Instant, Value


class RecallRequested(Event):
    """A recall over Kafka. `occurred_at` is when it was asked, `deadline` when the client gives up."""

    type: Literal["RecallRequested"] = "RecallRequested"
    request: RecallRequest
    deadline: Instant | None = None


class ErrorReply(Value):
    """The error of a request, in the same words as over HTTP."""

    status: int
    """The HTTP status that the same request would have got."""
    reason: str
    message: str


class RecallReplied(Event):
    type: Literal["RecallReplied"] = "RecallReplied"
    response: RecallResponse | None = None
    error: ErrorReply | None = None


class ContextRequested(Event):
    """A context over Kafka. `occurred_at` is when it was asked, `deadline` when the client gives up."""

    type: Literal["ContextRequested"] = "ContextRequested"
    request: ContextRequest
    deadline: Instant | None = None


class ContextReplied(Event):
    type: Literal["ContextReplied"] = "ContextReplied"
    response: ContextResponse | None = None
    error: ErrorReply | None = None
