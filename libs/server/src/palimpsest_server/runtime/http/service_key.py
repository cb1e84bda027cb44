"""One key for all of `/v1`: its holder may do everything."""

from hmac import compare_digest
from ipaddress import ip_address

from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from palimpsest.model.errors import PermanentError
from palimpsest_server.runtime.http.error_responses import (
    build_problem_response,
    build_status_problem,
)
from palimpsest_server.runtime.settings import Settings

OPEN_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked by orchestrators and by Prometheus, and without anything a user said. To give each of
them a key that reads every memory would be the greater risk."""

_WORDS = "this needs the service key: send `Authorization: Bearer` and PALIMPSEST_API_KEY"


class ServiceKeyMissing(PermanentError):
    """A service that others could reach was given no key to ask them for."""

    reason = "service_key_missing"


def check_service_key(settings: Settings) -> None:
    """Return when there is a key, or only this machine can ask.

    Raises:
        ServiceKeyMissing: neither.
    """
    if settings.api_key is None and not is_loopback(settings.http_host):
        raise ServiceKeyMissing(
            f"Others can reach {settings.http_host}, so callers must be asked for a key: set"
            " PALIMPSEST_API_KEY (at least 16 characters; `openssl rand -hex 32` makes one),"
            " or listen on 127.0.0.1."
        )


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches the host; any name but localhost may be anywhere."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class ServiceKey:
    """ASGI middleware that answers 401 to who does not show the key."""

    def __init__(self, app: ASGIApp, *, key: SecretStr) -> None:
        self._app = app
        self._shown = f"Bearer {key.get_secret_value()}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._may_pass(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            # Closing before accepting is answered as 403.
            await send({"type": "websocket.close", "code": 1008})
        else:
            headers = {"WWW-Authenticate": "Bearer", "Connection": "close"}
            refusal = build_problem_response(401, build_status_problem(401, _WORDS), headers)
            await refusal(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if scope["type"] == "lifespan" or _is_open(scope):
            return True
        return compare_digest(_given(scope), self._shown)


def _is_open(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["path"] in OPEN_PATHS


def _given(scope: Scope) -> bytes:
    return Headers(scope=scope).get("authorization", "").encode("latin-1")
