"""Every route of every service, found by itself, against every kind of key and permission."""

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from fastapi import Request
from fastapi.routing import APIRoute, _IncludedRouter
from starlette.types import Message

from palimpsest.api.access_keys import TokenRequest
from palimpsest.model.permissions import EVERY_PERMISSION, KeyKind, Permission
from palimpsest_server.domain.access.grant import Grant
from palimpsest_server.runtime.http.open_routes import DESCRIPTION_PATH
from palimpsest_server.runtime.http.permissions import check_route_need, keep_grant
from tests.support.server.desk_application import KEY
from tests.support.services.host.guarded_routes import (
    GuardedApplication,
    ServedRoute,
    build_guarded_application,
    write_scope_headers,
)


@pytest.fixture(scope="module")
def guarded() -> GuardedApplication:
    return build_guarded_application()


@pytest.fixture
async def http(guarded: GuardedApplication) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(guarded.application, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://all") as client:
        yield client


async def ask(
    http: httpx.AsyncClient,
    route: ServedRoute,
    shown: str | None,
    **named: str,
) -> httpx.Response:
    """Ask for a user, and an agent, wherever the route takes them."""
    path = route.path
    for parameter in (
        "memory_id",
        "change_set_id",
        "session_id",
        "turn_id",
        "todo_id",
        "key_id",
        "webhook_id",
        "question_id",
    ):
        path = path.replace(f"{{{parameter}}}", "x")
    path = path.replace("{project_id}", "x")
    for parameter, name in named.items():
        path = path.replace(f"{{{parameter}}}", name)
    assert "{" not in path, f"{path} takes what this test does not know"
    request: dict[str, Any] = {"params": named} if route.need.in_query else {}
    if route.method in {"POST", "PUT", "PATCH"}:
        request["json"] = named if route.need.in_body else {}
    headers = {"Authorization": f"Bearer {shown}"} if shown else {}
    headers |= write_scope_headers(**named) if route.need.in_headers else {}
    return await http.request(route.method, path, headers=headers, **request)


def token(guarded: GuardedApplication, permissions: set[Permission], **whose: str) -> str:
    maker = Grant(holder="bootstrap", permissions=EVERY_PERMISSION)
    request = TokenRequest.model_validate({"permissions": permissions, **whose})
    return guarded.access.issue_token(maker, request).token


def guarded_routes(guarded: GuardedApplication, *reaches: KeyKind) -> list[ServedRoute]:
    found = [
        route
        for route in guarded.routes
        if not route.need.is_open and (not reaches or route.need.reach in reaches)
    ]
    assert len(found) >= 3
    return found


def test_every_way_into_the_application_declares_what_it_needs(
    guarded: GuardedApplication,
) -> None:
    # Not by a router of a service: the description of the API, and nothing that was mounted.
    others = [
        getattr(route, "path", route)
        for route in guarded.application.routes
        if not isinstance(route, APIRoute | _IncludedRouter)
    ]
    assert others == [DESCRIPTION_PATH]
    described = guarded.application.openapi()["paths"]
    assert {route.name for route in guarded.routes} == {
        f"{method.upper()} {path}" for path, methods in described.items() for method in methods
    }
    assert {route.path for route in guarded.routes if route.need.is_open} == {
        "/healthz",
        "/readyz",
        "/metrics",
    }


def test_what_reaches_beyond_one_user_is_known(guarded: GuardedApplication) -> None:
    reached = {
        route.name: route.need.permission for route in guarded_routes(guarded, KeyKind.SERVICE)
    }
    assert reached == {
        "GET /v1/usage/deployment": Permission.ADMIN,
        "PUT /v1/settings/tier": Permission.ADMIN,
        "POST /v1/keys": Permission.ADMIN,
        "GET /v1/keys": Permission.ADMIN,
        "DELETE /v1/keys/{key_id}": Permission.ADMIN,
        "POST /v1/keys/{key_id}/rotate": Permission.ADMIN,
        "POST /v1/tokens": None,
        "GET /v1/namespaces": Permission.ADMIN,
        "GET /v1/dead-letters": Permission.ADMIN,
        "POST /v1/dead-letters/replay": Permission.ADMIN,
        "GET /v1/backlog": Permission.ADMIN,
        "GET /v1/simulation/clock": Permission.READ,
        "PUT /v1/simulation/clock": Permission.ADMIN,
    }
    erasing = {route.name for route in guarded.routes if route.need.permission is Permission.ERASE}
    assert erasing == {
        "POST /v1/memories/{memory_id}/purge",
        "POST /v1/forget-everything",
        "POST /v1/forget-topic",
        "DELETE /v1/projects/{project_id}",
    }


async def test_nothing_is_answered_without_a_key(
    guarded: GuardedApplication, http: httpx.AsyncClient
) -> None:
    for route in guarded_routes(guarded):
        for shown in (None, KEY + "x", "plm_" + "a" * 12 + "_" + "b" * 48):
            answer = await ask(http, route, shown, user_id="ann", agent_id="coder")
            assert answer.status_code == 401, route.name
            assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_a_key_of_a_user_is_told_nothing_of_another(
    guarded: GuardedApplication, http: httpx.AsyncClient
) -> None:
    everything = set(EVERY_PERMISSION)
    of_user = token(guarded, everything, user_id="ann")
    of_agent = token(guarded, everything, user_id="ann", agent_id="coder")
    for route in guarded_routes(guarded, KeyKind.USER, KeyKind.AGENT):
        for shown in (of_user, of_agent):
            for named in ({"user_id": "ben"}, {"user_id": "ben", "agent_id": "coder"}):
                if "{agent_id}" in route.path and "agent_id" not in named:
                    continue
                answer = await ask(http, route, shown, **named)
                assert answer.status_code == 404, (route.name, named)
                assert "ben" not in answer.text
            if not route.need.in_path:
                assert (await ask(http, route, shown)).status_code == 403, route.name
    for route in guarded_routes(guarded, KeyKind.SERVICE):
        for shown in (of_user, of_agent):
            answer = await ask(http, route, shown, user_id="ann", agent_id="coder")
            assert answer.status_code == 403, route.name


async def test_a_key_of_an_agent_is_told_nothing_of_another_agent_or_of_all_together(
    guarded: GuardedApplication, http: httpx.AsyncClient
) -> None:
    shown = token(guarded, set(EVERY_PERMISSION), user_id="ann", agent_id="coder")
    for route in guarded_routes(guarded, KeyKind.AGENT):
        answer = await ask(http, route, shown, user_id="ann", agent_id="cook")
        assert answer.status_code == 404, route.name
        if "{agent_id}" not in route.path:
            answer = await ask(http, route, shown, user_id="ann")
            assert answer.status_code == 403, route.name
    for route in guarded_routes(guarded, KeyKind.USER):
        for named in ({"user_id": "ann"}, {"user_id": "ann", "agent_id": "coder"}):
            answer = await ask(http, route, shown, **named)
            assert answer.status_code == 403, route.name


async def test_each_permission_opens_what_declares_it_and_nothing_else(
    guarded: GuardedApplication, http: httpx.AsyncClient
) -> None:
    whose = {"user_id": "ann", "agent_id": "coder"}
    for permission in Permission:
        shown = token(guarded, {permission}, **whose)
        grant = await guarded.access.admit(shown)
        for route in guarded_routes(guarded, KeyKind.AGENT):
            if route.need.permission is permission:
                # Past the guard stands a service without its database: only the guard is asked.
                await check_route_need(route.need, _request(route, grant, whose))
            else:
                answer = await ask(http, route, shown, **whose)
                assert answer.status_code == 403, route.name
                assert f"`{route.need.permission}`" in answer.text


def _request(route: ServedRoute, grant: Grant, named: dict[str, str]) -> Request:
    query = urlencode(named).encode() if route.need.in_query else b""
    headers = write_scope_headers(**named) if route.need.in_headers else {}
    scope = {
        "type": "http",
        "method": route.method,
        "query_string": query,
        "path_params": named if route.need.in_path else {},
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    keep_grant(scope, grant)

    async def receive() -> Message:
        return {"type": "http.request", "body": json.dumps(named).encode(), "more_body": False}

    return Request(scope, receive)
