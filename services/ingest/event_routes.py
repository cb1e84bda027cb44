"""`POST /v1/events`: what chat services say, one event or many."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from pymongo.errors import PyMongoError

from palimpsest.api.resources import EventBatch, EventResult, EventResults, HttpProblem
from palimpsest.events.event_schema import build_event_schema
from palimpsest.events.feedback import FeedbackRequest
from palimpsest.model.clock import Clock
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.error_classification import is_transient
from palimpsest_server.runtime.http import Permission, declare_permission
from services.ingest.http_intake import HttpIntake

_DESCRIPTION = """
One event as a JSON object, answered with its own status: **202** when it is stored and taken by
Kafka (or dropped, because it is incognito or memory is off), **409** when its id is known with
another body, **422** when it breaks its contract.

Or `{"events": [...]}` with 1 to 500 events, each checked alone: **202** when all of them were
accepted, else **207**; each result has the status that the event alone would have got, in the
order of the events.

Without `event_id` an event's id is derived from user, session and message id, so that sending it
again is sending the same event. **503** says that nothing was promised: try again with the same
body after `Retry-After`. `received_at` and `epoch` are stamped by the server, whatever is sent.
"""

_EXAMPLE = {
    "type": "MessageAdded",
    "occurred_at": "2026-03-02T09:30:00+08:00",
    "user_id": "lin",
    "session_id": "2026-03-02",
    "message_id": "1",
    "role": "user",
    "text": "我下周搬到杭州。",
}

_NOT_JSON = {"type": "json_invalid", "loc": ("body",), "ctx": {"error": "cannot be read"}}
_NOT_AN_OBJECT = {
    "type": "not_an_object",
    "loc": ("body",),
    "msg": 'must be a JSON object: one event, or {"events": […]} for several',
}

_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": build_event_schema(),
                "examples": {
                    "one": {"value": _EXAMPLE},
                    "many": {"value": {"events": [_EXAMPLE]}},
                },
            }
        },
    }
}


_FEEDBACK = """
What somebody thinks of a memory that was recalled for them, as the event `FeedbackGiven`.

`helpful` raises its importance and confidence by a tenth of what they lack to 1. `wrong` takes a
fifth off its importance and half of its confidence, and has it wait for a yes: it is not recalled
until then. `outdated` takes a fifth off its importance and ends its validity at `occurred_at`.
Of several (`memory_ids`, or all that `recall_id` returned) nobody said which is meant: each moves by its part of these amounts, and
none is taken out of sight. **202**: kept, and taken by Kafka; **409** and **422** as for events.
"""


def build_event_router(accepting: HttpIntake, clock: Clock) -> APIRouter:
    router = APIRouter(tags=["events"])

    @router.post(
        "/v1/events",
        status_code=202,
        summary="Take in what was said",
        description=_DESCRIPTION,
        responses={
            202: {"model": EventResult | EventResults},
            207: {"model": EventResults, "description": "Not all of many were accepted."},
            409: {"model": EventResult, "description": "The id is known with another body."},
            422: {"model": EventResult | HttpProblem, "description": "The event is not valid."},
        },
        openapi_extra={**declare_permission(Permission.WRITE, events_in_body=True), **_BODY},
    )
    async def take_events(request: Request) -> Response:
        fields = _object(await request.body())
        if "events" not in fields:
            (result,) = await _accepted(accepting, [fields])
            return _json(result, result.status)
        results = await _accepted(accepting, _batch(fields).events)
        status = 202 if all(result.status == 202 for result in results) else 207
        return _json(EventResults(results=tuple(results)), status)

    @router.post(
        "/v1/feedback",
        status_code=202,
        summary="Say whether what was recalled was of use",
        description=_FEEDBACK,
        responses={
            202: {"model": EventResult},
            409: {"model": EventResult, "description": "The id is known with another body."},
        },
        openapi_extra=declare_permission(Permission.WRITE),
    )
    async def take_feedback(feedback: FeedbackRequest) -> Response:
        event = feedback.event(clock()).model_dump(mode="json", exclude_defaults=True)
        (result,) = await _accepted(accepting, [{"type": "FeedbackGiven", **event}])
        return _json(result, result.status)

    return router


async def _accepted(
    accepting: HttpIntake, events: Sequence[Mapping[str, Any]]
) -> Sequence[EventResult]:
    try:
        return await accepting.accept(events)
    except PyMongoError as error:
        if not is_transient(error):
            raise
        raise TransientError(f"MongoDB does not answer: {type(error).__name__}") from error


def _object(body: bytes) -> dict[str, Any]:
    try:
        fields = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise RequestValidationError([_NOT_JSON]) from error
    if not isinstance(fields, dict):
        raise RequestValidationError([_NOT_AN_OBJECT])
    return fields


def _batch(fields: Mapping[str, Any]) -> EventBatch:
    try:
        return EventBatch.model_validate(fields)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False)) from None


def _json(body: BaseModel, status: int) -> Response:
    return Response(body.model_dump_json(), status_code=status, media_type="application/json")
