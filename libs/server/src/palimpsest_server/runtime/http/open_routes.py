"""Routes that a middleware treats otherwise than all others, such as those that need no key."""

from collections.abc import Collection, Sequence

from starlette.routing import BaseRoute, Match
from starlette.types import Scope

DESCRIPTION_PATH = "/openapi.json"
"""The description of the API, which says nothing of anybody."""


class OpenRoutes:
    """A few routes by themselves, such as those that orchestrators and Prometheus ask without a key."""

    def __init__(self, routes: Sequence[BaseRoute], paths: Collection[str] = frozenset()) -> None:
        """`paths` are those of routes that the framework adds by itself."""
        self._routes = routes
        self._paths = paths

    def match(self, scope: Scope) -> bool:
        """Return whether a request is for one of them, by its method as well."""
        if scope["type"] != "http":
            return False
        return scope["path"] in self._paths or any(
            route.matches(scope)[0] is Match.FULL for route in self._routes
        )
