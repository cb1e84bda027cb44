"""Ids with slashes in paths: `/v1/memories/a%2Fb` is about the memory `a/b`.

Servers decode a path before routes are matched against it. So a slash that was encoded stands in
the path as a sign of its own until a route has taken its ids from it.
"""

import re
from urllib.parse import unquote

from starlette.convertors import StringConvertor
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

_SIGN = "\ufdd0"
"""Not a character of Unicode, and so in no id."""

_ENCODED_SLASH = re.compile("%2f", re.IGNORECASE)


class EncodedSlashes:
    """ASGI middleware that keeps encoded slashes of a path apart from those between its parts."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path")
        written = scope.get("raw_path", b"").decode("ascii", errors="replace")
        if _ENCODED_SLASH.search(written):
            scope["path"] = unquote(_ENCODED_SLASH.sub(_SIGN, written))
        try:
            await self._app(scope, receive, send)
        finally:
            if path is not None:
                scope["path"] = path


class _IdentifierConvertor(StringConvertor):
    def convert(self, value: str) -> str:
        return value.replace(_SIGN, "/")


def restore_slashes(route: Route) -> None:
    """Have a route take ids with their slashes from a path."""
    route.param_convertors = {
        name: _IdentifierConvertor() if type(convertor) is StringConvertor else convertor
        for name, convertor in route.param_convertors.items()
    }
