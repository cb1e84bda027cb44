"""Authenticate every request before any of it is read."""

from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palimpsest.model.errors import PalimpsestError, PermanentError
from palimpsest_server.domain.access.grant import Grant
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.runtime.http.error_responses import build_error_response
from palimpsest_server.runtime.http.open_routes import OpenRoutes
from palimpsest_server.runtime.http.permissions import keep_grant
from palimpsest_server.runtime.http.request_metrics import is_event_stream
from palimpsest_server.runtime.http.scope_headers import KEY_HEADER
from palimpsest_server.runtime.settings import Settings

_SCHEME = "bearer"


class ServiceKeyMissing(PermanentError):
    """A service that other machines can reach requires no keys."""

    reason = "service_key_missing"


def check_service_key(settings: Settings) -> None:
    """Check that keys are required, or that only this machine can reach the service.

    Raises:
        ServiceKeyMissing: neither is the case.
    """
    if not settings.asks_for_keys and not is_loopback(settings.http_host):
        raise ServiceKeyMissing(
            f"Others can reach {settings.http_host}, so callers must be asked for a key: set"
            " PALIMPSEST_API_KEY (at least 16 characters; `openssl rand -hex 32` makes one),"
            " or listen on 127.0.0.1."
        )


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches the host; any name but localhost may be another machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Authentication:
    """ASGI middleware that stores the grant of a request, or answers 401 or 429."""

    def __init__(self, app: ASGIApp, *, access: AccessControl, open_routes: OpenRoutes) -> None:
        self._app = app
        self._access = access
        self._open = open_routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._open.match(scope):
            await self._app(scope, receive, send)
            return
        shown = read_key(Headers(scope=scope))
        try:
            grant = await self._access.admit(shown)
        except PalimpsestError as error:
            await _refuse(error, scope, receive, send)
            return
        keep_grant(scope, grant)
        try:
            await self._app(scope, receive, self._while_open(shown, grant, send))
        except _OpensNoMore:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _while_open(self, shown: str | None, grant: Grant, send: Send) -> Send:
        """Send a stream of events for as long as its key is valid, since a stream may outlive its key."""
        is_stream = False

        async def send_while_open(message: Message) -> None:
            nonlocal is_stream
            if message["type"] == "http.response.start":
                is_stream = is_event_stream(message)
            elif is_stream and not await self._access.still_opens(shown, grant):
                raise _OpensNoMore
            await send(message)

        return send_while_open


class _OpensNoMore(Exception):
    """The key of a stream was revoked, or has expired."""


async def _refuse(error: PalimpsestError, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        # Closing before accepting becomes a 403.
        await send({"type": "websocket.close", "code": 1008})
        return
    refusal = build_error_response(error)
    # The body was not read, so the connection cannot be reused.
    refusal.headers["Connection"] = "close"
    await refusal(scope, receive, send)


def read_key(headers: Headers) -> str | None:
    """Return the key or token of a request: in a header of its own, or in `Authorization`."""
    return headers.get(KEY_HEADER) or read_bearer(headers.get("authorization"))


def read_bearer(header: str | None) -> str | None:
    """Return the key or token of an `Authorization` header; None if it holds none."""
    scheme, _, shown = (header or "").partition(" ")
    return shown.strip() or None if scheme.lower() == _SCHEME else None
