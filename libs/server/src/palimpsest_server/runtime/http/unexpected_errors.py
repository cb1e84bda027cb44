"""Answer uncaught errors, and log their places without their messages."""

import traceback
from pathlib import Path

import structlog
from fastapi import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.error_classification import describe_error, is_transient
from palimpsest_server.runtime.http.error_responses import (
    build_problem_response,
    build_status_problem,
    build_transient_response,
)

PLACES = 4
"""Number of innermost traceback places that are logged."""

_log = structlog.get_logger("palimpsest.http")


class ResponseBrokeOff(RuntimeError):
    """Raised to make the server close a connection whose response had begun."""


class UnexpectedErrors:
    """ASGI middleware. The server's own log would print messages, which quote their input."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_and_see(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, send_and_see)
        except Exception as error:  # noqa: BLE001 - the last resort of a process that goes on
            _log.error("a request failed", error=type(error).__name__, at=list_error_places(error))
            if scope["type"] != "http" or started:
                raise ResponseBrokeOff(type(error).__name__) from None
            await _answer(error)(scope, receive, send)


def _answer(error: Exception) -> Response:
    """Build a 503 if a database or broker was away, else a 500."""
    if is_transient(error):
        return build_transient_response(TransientError(f"not ready: {describe_error(error)}"))
    words = "something unforeseen happened; the log says where"
    return build_problem_response(500, build_status_problem(500, words))


def list_error_places(error: BaseException) -> list[str]:
    """Return the last places of a traceback, without the error's message."""
    frames = traceback.extract_tb(error.__traceback__)[-PLACES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
