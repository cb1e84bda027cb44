"""Refuses bodies that are too large: by what they announce, and by what arrives."""

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palimpsest.api.problems import build_body_too_large_problem
from palimpsest_server.runtime.http.error_responses import build_problem_response

_DISCARDED_MULTIPLE = 4
_DISCARDING_SECONDS = 5.0
# A client that is still sending when the connection closes never sees the answer:
# so what is moderately too large is read to its end and thrown away.


class BodyLimit:
    """ASGI middleware that answers 413 and never holds more than the limit."""

    def __init__(self, app: ASGIApp, *, maximum_bytes: int) -> None:
        self._app = app
        self._maximum_bytes = maximum_bytes
        self._problem = build_body_too_large_problem(maximum_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        announced = int(headers.get("content-length") or 0)
        if announced > self._maximum_bytes:
            if "expect" not in headers and announced <= self._most_discarded:
                await self._discard(receive)
            await build_problem_response(413, self._problem, {"Connection": "close"})(
                scope, receive, send
            )
            return
        await self._app(scope, self._counting(receive), send)

    @property
    def _most_discarded(self) -> int:
        return _DISCARDED_MULTIPLE * self._maximum_bytes

    def _counting(self, receive: Receive) -> Receive:
        received = 0

        async def receive_within_limit() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._maximum_bytes:
                if message.get("more_body"):
                    await self._discard(receive)
                raise BodyTooLarge(self._problem.message)
            return message

        return receive_within_limit

    async def _discard(self, receive: Receive) -> None:
        discarded = 0
        try:
            async with asyncio.timeout(_DISCARDING_SECONDS):
                while discarded <= self._most_discarded:
                    message = await receive()
                    discarded += len(message.get("body", b""))
                    if not message.get("more_body"):
                        return
        except TimeoutError:
            return


class BodyTooLarge(HTTPException):
    """Raised where the body is read; frameworks pass HTTP errors on untouched."""

    def __init__(self, words: str) -> None:
        super().__init__(status_code=413, detail=words, headers={"Connection": "close"})
