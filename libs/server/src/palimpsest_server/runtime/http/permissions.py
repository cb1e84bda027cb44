"""The permission that every route declares, and its check before the route is entered.

The scope parameters of a route say how far a key must reach. A route with `user_id` and `agent_id` is
open to the key of an agent, a route with a user alone to that of a user, and a route without a
user to service keys.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic_core import from_json
from starlette.routing import BaseRoute
from starlette.types import Scope

from palimpsest.model.errors import PermanentError
from palimpsest.model.permissions import KeyKind, Permission
from palimpsest_server.domain.access.grant import Grant
from palimpsest_server.runtime.http.misplaced_fields import list_query_fields
from palimpsest_server.runtime.http.scope_headers import iterate_named_scopes

DECLARATION = "x-permission"
OPEN = "open"
"""Declared by routes that need no key, because they return no user data."""
ANY = "any"
"""Declared by routes that any permission opens; they check the key themselves."""

_EVENTS_IN_BODY = "x-events"
_SCOPE_IN_HEADERS = "x-scope-headers"
_SERVICE_ALONE = "x-service-key"
_GRANT = "palimpsest.grant"


class PermissionUndeclared(PermanentError):
    """A route declares no permission, and so would be open to everybody."""

    reason = "permission_undeclared"


def declare_permission(
    permission: Permission | None,
    *,
    events_in_body: bool = False,
    scope_in_headers: bool = False,
    service_alone: bool = False,
) -> dict[str, Any]:
    """Declare a permission in a route's `openapi_extra`.

    Args:
        permission: the permission that the key must have; None if any permission is enough.
        events_in_body: the route itself reads events from its body, each with its own scope.
        scope_in_headers: the route reads its scope from headers, because its body has a foreign format.
        service_alone: only service keys open the route, although it names a user.
    """
    declared: dict[str, Any] = {DECLARATION: str(permission or ANY)}
    if events_in_body:
        declared[_EVENTS_IN_BODY] = True
    if scope_in_headers:
        declared[_SCOPE_IN_HEADERS] = True
    if service_alone:
        declared[_SERVICE_ALONE] = True
    return declared


def declare_open() -> dict[str, Any]:
    """Declare in a route's `openapi_extra` that it needs no key."""
    return {DECLARATION: OPEN}


@dataclass(frozen=True)
class RouteNeed:
    """The permission and the scope that a route needs of a key."""

    permission: Permission | None
    """None if no particular permission is needed."""
    reach: KeyKind
    """The narrowest kind of key that is enough."""
    is_open: bool = False
    in_path: bool = False
    in_query: bool = False
    in_body: bool = False
    in_headers: bool = False


def read_route_need(route: BaseRoute) -> RouteNeed:
    """Return the declared need of a route.

    Raises:
        PermissionUndeclared: the route declares none.
    """
    declared = getattr(route, "openapi_extra", None) or {}
    if not isinstance(route, APIRoute) or DECLARATION not in declared:
        path = getattr(route, "path", type(route).__name__)
        raise PermissionUndeclared(f"the route {path} does not declare the permission it needs")
    if declared[DECLARATION] == OPEN:
        return RouteNeed(permission=None, reach=KeyKind.AGENT, is_open=True)
    any_will_do = declared[DECLARATION] == ANY
    permission = None if any_will_do else Permission(declared[DECLARATION])
    path, query, body = set(route.param_convertors), list_query_fields(route), _body_fields(route)
    if declared.get(_EVENTS_IN_BODY):
        body = frozenset({"user_id", "agent_id"})
    in_headers = bool(declared.get(_SCOPE_IN_HEADERS))
    taken = path | query | body | ({"user_id", "agent_id"} if in_headers else set())
    reach = KeyKind.SERVICE
    if "user_id" in taken and not declared.get(_SERVICE_ALONE):
        reach = KeyKind.AGENT if "agent_id" in taken else KeyKind.USER
    return RouteNeed(
        permission=permission,
        reach=reach,
        in_path="user_id" in path,
        in_query="user_id" in query,
        in_body="user_id" in body,
        in_headers=in_headers,
    )


def _body_fields(route: APIRoute) -> frozenset[str]:
    fields: set[str] = set()
    for parameter in route.dependant.body_params:
        taken: object = parameter.field_info.annotation
        if isinstance(taken, type) and issubclass(taken, BaseModel):
            fields |= {*taken.model_fields}
    return frozenset(fields)


def keep_grant(scope: Scope, grant: Grant) -> None:
    """Store the grant of a request's key."""
    scope[_GRANT] = grant


def get_grant(scope: Scope) -> Grant:
    """Return the grant of a request's key.

    Raises:
        KeyError: the request was not authenticated, which must not pass for a grant.
    """
    grant: Grant = scope[_GRANT]
    return grant


def get_request_grant(request: Request) -> Grant:
    """Return the grant of a request, for routes that depend on it."""
    return get_grant(request.scope)


class RouteGuard:
    """A dependency of every route that refuses a request whose grant does not cover its scope."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        """Read the need of each route; raises PermissionUndeclared if a route declares none."""
        needs = [(route, read_route_need(route)) for route in routes]
        self._needs = {id(route): need for route, need in needs}
        self.open_routes = [route for route, need in needs if need.is_open]

    async def __call__(self, request: Request) -> None:
        """Return if the request is allowed; raises as `check_route_need` does."""
        route = request.scope["route"]
        await check_route_need(self._needs.get(id(route)) or read_route_need(route), request)


async def check_route_need(need: RouteNeed, request: Request) -> None:
    """Check that the grant of a request covers the users and agents that the request names.

    Raises:
        RecordNotFound: the request names another user or agent.
        PermissionMissing: the key lacks the permission, or its reach is too narrow.
    """
    if need.is_open:
        return
    grant = get_grant(request.scope)
    if grant.user_id is None or need.reach is KeyKind.SERVICE:
        grant.require_deployment(need.permission)
        return
    for named in [one async for one in _named(request, need)] or [{}]:
        user_id, agent_id = named.get("user_id"), named.get("agent_id")
        if need.reach is KeyKind.USER:
            grant.require_user(need.permission, user_id)
        else:
            grant.require(need.permission, user_id=user_id, agent_id=agent_id)


async def _named(request: Request, need: RouteNeed) -> AsyncIterator[Mapping[str, Any]]:
    """Yield every user that a request names, with the agent or None, from the places the route reads.

    A name that is given several times is yielded each time, because the route will use one of them.
    """
    if need.in_path:
        yield request.path_params
    if need.in_query:
        query = request.query_params
        for user_id in query.getlist("user_id"):
            agent_ids: list[str | None] = [*query.getlist("agent_id")]
            for agent_id in agent_ids or [None]:
                yield {"user_id": user_id, "agent_id": agent_id}
    if need.in_body:
        for named in _in_body(await request.body()):
            yield named
    if need.in_headers:
        for named in iterate_named_scopes(request.headers):
            yield named


def _in_body(body: bytes) -> Iterator[Mapping[str, Any]]:
    try:
        fields = from_json(body)
    except ValueError:
        fields = None
    fields = fields if isinstance(fields, dict) else {}
    several = fields.get("events")
    for named in several if isinstance(several, list) else [fields]:
        yield named if isinstance(named, dict) else {}
