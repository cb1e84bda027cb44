"""Serve this machine alone if there is no key, and refuse what a browser here was sent to ask.

A page from elsewhere can have the browser on this machine send requests to
loopback, and by a name of its own that it lets point here (DNS rebinding) even
read the answers. A browser tells on both: by `Origin`, and by `Host`.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from palimpsest_server.runtime.http.error_responses import (
    build_problem_response,
    build_status_problem,
)
from palimpsest_server.runtime.http.open_routes import OpenRoutes

_NOBODY_CAN_REGISTER = (".localhost", ".internal")
"""RFC 6761, and what ICANN keeps for private use: such as Docker's `host.docker.internal`."""

_WORDS = (
    "without a service key only this machine is answered, by a name of its own and not for pages"
    " from elsewhere: ask at 127.0.0.1, or set PALIMPSEST_API_KEY and send it"
)


class LocalRequestsOnly:
    """ASGI middleware that answers 403 to what a page from elsewhere asks for."""

    def __init__(self, app: ASGIApp, *, open_routes: OpenRoutes) -> None:
        self._app = app
        self._open = open_routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._open.match(scope) or _is_own(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            # Closing before accepting is answered as 403.
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal = build_problem_response(
                403, build_status_problem(403, _WORDS), {"Connection": "close"}
            )
            await refusal(scope, receive, send)


def _is_own(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return all(is_local_name(f"//{host}") for host in headers.getlist("host")) and all(
        # "null" is the origin of whoever hides theirs.
        is_local_name(origin)
        for origin in headers.getlist("origin")
    )


def is_local_name(address: str) -> bool:
    """Return whether the host in an address such as `//localhost:8000` can only be this machine.

    A name without a dot is nobody's in the public directory; one that ends there, whoever's it is.
    """
    try:
        name = urlsplit(address).hostname
    except ValueError:
        return False
    if not name:
        return False
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return "." not in name or name.endswith(_NOBODY_CAN_REGISTER)
