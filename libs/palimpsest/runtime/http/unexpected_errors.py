"""Answers what nobody caught, and logs where it happened without what was said."""

import traceback
from pathlib import Path

import structlog
from fastapi import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palimpsest.delivery.failures import is_transient, words_of
from palimpsest.domain.errors import TransientError
from palimpsest.runtime.http.error_responses import (
    problem_of_status,
    problem_response,
    transient_response,
)

PLACES = 4
"""Of a traceback, the innermost."""

_log = structlog.get_logger("palimpsest.http")


class ResponseBrokeOff(RuntimeError):
    """Raised for the server to close a connection whose answer had begun."""


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
            _log.error("a request failed", error=type(error).__name__, at=places(error))
            if scope["type"] != "http" or started:
                raise ResponseBrokeOff(type(error).__name__) from None
            await _answer(error)(scope, receive, send)


def _answer(error: Exception) -> Response:
    """503 where a database or a broker of ours was away, 500 for everything else."""
    if is_transient(error):
        return transient_response(TransientError(f"not ready: {words_of(error)}"))
    words = "something unforeseen happened; the log says where"
    return problem_response(500, problem_of_status(500, words))


def places(error: BaseException) -> list[str]:
    """The last places of a traceback, without the words of the error."""
    frames = traceback.extract_tb(error.__traceback__)[-PLACES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
