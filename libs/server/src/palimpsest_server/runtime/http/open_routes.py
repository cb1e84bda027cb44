"""Routes that a middleware treats differently, such as those that need no key."""

from collections.abc import Collection, Sequence

from starlette.routing import BaseRoute, Match
from starlette.types import Scope

DESCRIPTION_PATH = "/openapi.json"
"""Path of the API's description, which holds no user data."""


class OpenRoutes:
    """A few separate routes, such as those that orchestrators and Prometheus call without a key."""

    def __init__(self, routes: Sequence[BaseRoute], paths: Collection[str] = frozenset()) -> None:
        """`paths` are the paths of routes that the framework adds by itself."""
        self._routes = routes
        self._paths = paths

    def match(self, scope: Scope) -> bool:
        """Return whether a request is for one of the routes, by path and method."""
        if scope["type"] != "http":
            return False
        return scope["path"] in self._paths or any(
            route.matches(scope)[0] is Match.FULL for route in self._routes
        )
