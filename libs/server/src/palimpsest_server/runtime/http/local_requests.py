"""Without keys, serve this machine alone, and refuse requests that foreign pages make a browser send.

A page from elsewhere can have the browser on this machine send requests to
loopback. By a name of its own that points here (DNS rebinding) it could even
read the answers. The browser's `Origin` and `Host` headers reveal both.
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
"""Names that nobody can register: RFC 6761, and ICANN's private ones, as `host.docker.internal`."""

_WORDS = (
    "without a service key only this machine is answered, by a name of its own and not for pages"
    " from elsewhere: ask at 127.0.0.1, or set PALIMPSEST_API_KEY and send it"
)


class LocalRequestsOnly:
    """ASGI middleware that answers 403 to requests of pages from elsewhere."""

    def __init__(self, app: ASGIApp, *, open_routes: OpenRoutes) -> None:
        self._app = app
        self._open = open_routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._open.match(scope) or _is_own(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            # Closing before accepting becomes a 403.
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal = build_problem_response(
                403, build_status_problem(403, _WORDS), {"Connection": "close"}
            )
            await refusal(scope, receive, send)


def _is_own(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return all(is_local_name(f"//{host}") for host in headers.getlist("host")) and all(
        # "null" is the origin of pages that hide theirs.
        is_local_name(origin)
        for origin in headers.getlist("origin")
    )


def is_local_name(address: str) -> bool:
    """Return whether the host in an address such as `//localhost:8000` can only be this machine.

    A name without a dot is in no public directory. A name with a dot may be anybody's, except under
    `.localhost` and `.internal`.
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
