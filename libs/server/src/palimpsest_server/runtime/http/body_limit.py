"""Refuse bodies that are too large, by their announced length and by their received bytes."""

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palimpsest.api.problems import build_body_too_large_problem
from palimpsest_server.runtime.http.error_responses import build_problem_response
from palimpsest_server.runtime.http.open_routes import OpenRoutes

LARGE_BODIES = "x-large-bodies"
"""Declared in the `openapi_extra` of routes that accept bodies as large as those of a proxied chat."""

_DISCARDED_MULTIPLE = 4
_DISCARDING_SECONDS = 5.0
# A client that is still sending when the connection closes never sees the answer, so a
# moderately large body is read to its end and discarded.


def takes_large_bodies(route: BaseRoute) -> bool:
    return LARGE_BODIES in (getattr(route, "openapi_extra", None) or {})


class BodyLimit:
    """ASGI middleware that answers 413 and never holds more than the limit."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        maximum_bytes: int,
        large_bytes: int | None = None,
        large_routes: OpenRoutes | None = None,
    ) -> None:
        """`large_bytes` is the limit of `large_routes`, `maximum_bytes` that of all others."""
        self._app = app
        self._maximum_bytes = maximum_bytes
        self._large_bytes = large_bytes or maximum_bytes
        self._large_routes = large_routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, limit = Headers(scope=scope), self._find_limit(scope)
        announced = int(headers.get("content-length") or 0)
        if announced > limit:
            if "expect" not in headers and announced <= _DISCARDED_MULTIPLE * limit:
                await _discard(receive, limit)
            problem = build_body_too_large_problem(limit)
            await build_problem_response(413, problem, {"Connection": "close"})(
                scope, receive, send
            )
            return
        await self._app(scope, _count(receive, limit), send)

    def _find_limit(self, scope: Scope) -> int:
        is_large = self._large_routes is not None and self._large_routes.match(scope)
        return self._large_bytes if is_large else self._maximum_bytes


def _count(receive: Receive, limit: int) -> Receive:
    received = 0

    async def receive_within_limit() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            if message.get("more_body"):
                await _discard(receive, limit)
            raise BodyTooLarge(build_body_too_large_problem(limit).message)
        return message

    return receive_within_limit


async def _discard(receive: Receive, limit: int) -> None:
    discarded = 0
    try:
        async with asyncio.timeout(_DISCARDING_SECONDS):
            while discarded <= _DISCARDED_MULTIPLE * limit:
                message = await receive()
                discarded += len(message.get("body", b""))
                if not message.get("more_body"):
                    return
    except TimeoutError:
        return


class BodyTooLarge(HTTPException):
    """Raised where the body is read, because frameworks pass HTTP errors on unchanged."""

    def __init__(self, words: str) -> None:
        super().__init__(status_code=413, detail=words, headers={"Connection": "close"})
