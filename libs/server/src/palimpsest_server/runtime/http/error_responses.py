"""Errors as HTTP responses, each with a `Problem` as its body."""

import math
from collections.abc import Callable, Coroutine, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from palimpsest.api.http_problems import (
    NO_ROUTE_ADVICE,
    PROBLEM_MEDIA_TYPE,
    build_http_problem,
)
from palimpsest.api.problems import (
    TOO_LARGE_REASON,
    build_problem,
    build_validation_problem,
    get_http_status,
)
from palimpsest.api.resources import Problem
from palimpsest.model.errors import PalimpsestError, TransientError, Unauthenticated
from palimpsest_server.runtime.http.misplaced_fields import add_expected_places, list_query_fields

_RETRY_AFTER_SECONDS = 1.0
# The usual cause is a broker or a database that restarts.

_PARTS_OF_A_REQUEST = frozenset({"body", "query", "path", "header", "cookie"})

_NOT_JSON = {"type": "json_invalid", "loc": ("body",), "ctx": {"error": "cannot be read"}}
# FastAPI answers 400 to a body that it cannot read, such as one nested too deeply.

_NOT_CALLED_JSON = {
    "type": "media_type",
    "loc": (),
    "msg": "send it with the header `content-type: application/json`",
}

_NO_ROUTE = "there is nothing at this path; /openapi.json says what there is"

_REASONS = {413: TOO_LARGE_REASON}
# Python versions differ in the phrase of this status.


def build_problem_response(
    status: int, problem: Problem, headers: Mapping[str, str] | None = None
) -> Response:
    """Build the response to an error; all error responses are built here."""
    return Response(
        build_http_problem(status, problem).model_dump_json(),
        status_code=status,
        headers=headers,
        media_type=PROBLEM_MEDIA_TYPE,
    )


def build_status_problem(status: int, message: str | None = None) -> Problem:
    """Return a status and its HTTP phrase as a `Problem`."""
    phrase = HTTPStatus(status).phrase
    reason = _REASONS.get(status, phrase.lower().replace(" ", "_").replace("-", "_"))
    return Problem(reason=reason, message=message or phrase)


def build_transient_response(error: TransientError) -> Response:
    """Build a 503, or 429, with `Retry-After` in whole seconds, at least one."""
    wait = error.retry_after_seconds or _RETRY_AFTER_SECONDS
    headers = {"Retry-After": str(max(1, math.ceil(wait)))}
    return build_problem_response(get_http_status(error), build_problem(error), headers)


def build_error_response(error: PalimpsestError) -> Response:
    """Build the response to any of our errors, with the headers that its status needs."""
    if isinstance(error, TransientError):
        return build_transient_response(error)
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthenticated) else None
    return build_problem_response(get_http_status(error), build_problem(error), headers)


async def _palimpsest_error(_: Request, error: PalimpsestError) -> Response:
    return build_error_response(error)


async def _invalid_request(request: Request, error: RequestValidationError) -> Response:
    placed = add_expected_places(
        error.errors(),
        asked=list_query_fields(request.scope.get("route")),
        given=request.query_params.keys(),
    )
    errors = [{**each, "loc": _within(each["loc"])} for each in placed]
    if isinstance(error.body, bytes) and not _says_json(request):
        # The body was not even parsed.
        errors = [_NOT_CALLED_JSON]
    return build_problem_response(422, build_validation_problem(errors))


def _says_json(request: Request) -> bool:
    return "json" in request.headers.get("content-type", "")


def _within(location: Sequence[str | int]) -> Sequence[str | int]:
    """Return the location without the part of the request that FastAPI puts first."""
    return location[1:] if location[:1] and location[0] in _PARTS_OF_A_REQUEST else location


async def _http_exception(_: Request, error: HTTPException) -> Response:
    if error.status_code == HTTPStatus.BAD_REQUEST:
        return build_problem_response(422, build_validation_problem([_NOT_JSON]))
    if error.status_code == HTTPStatus.NOT_FOUND:
        problem = build_status_problem(404, _NO_ROUTE).model_copy(
            update={"advice": NO_ROUTE_ADVICE}
        )
    else:
        problem = build_status_problem(error.status_code, error.detail)
    return build_problem_response(error.status_code, problem, error.headers)


_Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]

ERROR_HANDLERS: dict[int | type[Exception], _Handler] = {
    PalimpsestError: _palimpsest_error,
    RequestValidationError: _invalid_request,
    HTTPException: _http_exception,
}
