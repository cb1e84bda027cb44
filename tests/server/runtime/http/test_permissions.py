"""What a route declares, and what it is then open to."""

from typing import Annotated, Any

import httpx
import pytest
from fastapi import APIRouter, Query
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from palimpsest.api.access_keys import TokenRequest
from palimpsest.api.recall import RecallRequest
from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.model.value_types import Identifier
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.runtime.http import (
    Permission,
    build_http_application,
    declare_open,
    declare_permission,
)
from palimpsest_server.runtime.http.permissions import PermissionUndeclared
from palimpsest_server.stores.access_keys import InMemoryAccessKeys
from tests.support.clock import SettableClock
from tests.support.given_settings import GivenSettings
from tests.support.server.desk_application import KEY
from tests.support.services.ingest.one_service import OneService

JSON = {"Content-Type": "application/json"}
READ = declare_permission(Permission.READ)


def router() -> APIRouter:
    routes = APIRouter()

    @routes.get("/scope", openapi_extra=READ)
    async def scope(seen: Annotated[ScopedRequest, Query()]) -> None: ...

    @routes.get("/user", openapi_extra=READ)
    async def user(user_id: Annotated[Identifier, Query()]) -> None: ...

    @routes.get("/perhaps", openapi_extra=READ)
    async def perhaps(user_id: Annotated[Identifier | None, Query()] = None) -> None: ...

    @routes.get("/of/{user_id}/{agent_id}", openapi_extra=READ)
    async def of(user_id: str, agent_id: str) -> None: ...

    @routes.post("/body", openapi_extra=READ)
    async def body(request: RecallRequest) -> None: ...

    @routes.post("/events", openapi_extra=declare_permission(Permission.READ, events_in_body=True))
    async def events() -> None: ...

    @routes.get("/all", openapi_extra=READ)
    async def everything() -> None: ...

    @routes.get("/tier", openapi_extra=declare_permission(Permission.READ, service_alone=True))
    async def tier(user_id: Annotated[Identifier, Query()]) -> None: ...

    @routes.get("/open", openapi_extra=declare_open())
    async def opened() -> None: ...

    return routes


class Desk:
    def __init__(self) -> None:
        settings = GivenSettings(api_key=SecretStr(KEY))
        self.access = AccessControl(settings, InMemoryAccessKeys(), SettableClock())
        self.application = build_http_application(
            [OneService([router()])],
            settings=settings,
            registry=CollectorRegistry(),
            access=self.access,
        )

    async def ask(
        self, path: str, *, of: tuple[str, str | None] | None = ("ann", None), **request: Any
    ) -> int:
        maker = await self.access.admit(KEY)
        shown = KEY
        if of is not None:
            shown = self.access.issue_token(
                maker, TokenRequest(user_id=of[0], agent_id=of[1])
            ).token
        transport = httpx.ASGITransport(self.application)
        async with httpx.AsyncClient(transport=transport, base_url="http://desk") as http:
            method = "POST" if "json" in request or "content" in request else "GET"
            answer = await http.request(
                method, path, headers={"Authorization": f"bearer {shown}", **JSON}, **request
            )
        return answer.status_code


@pytest.fixture
def desk() -> Desk:
    return Desk()


USER, AGENT = ("ann", None), ("ann", "coder")


@pytest.mark.parametrize(
    ("of", "path", "status"),
    [
        (USER, "/scope?user_id=ann", 200),
        (USER, "/scope?user_id=ann&agent_id=coder", 200),
        (USER, "/scope?user_id=ben", 404),
        (USER, "/scope", 403),
        # Whichever of them the route would take.
        (USER, "/scope?user_id=ann&user_id=ben", 404),
        (USER, "/scope?user_id=ben&user_id=ann", 404),
        (AGENT, "/scope?user_id=ann&agent_id=coder", 200),
        (AGENT, "/scope?user_id=ann&agent_id=cook", 404),
        (AGENT, "/scope?user_id=ann&agent_id=coder&agent_id=cook", 404),
        (AGENT, "/scope?user_id=ann&agent_id=", 404),
        (AGENT, "/scope?user_id=ann", 403),
        (AGENT, "/scope?user_id=ben&agent_id=coder", 404),
        (USER, "/user?user_id=ann", 200),
        (USER, "/user?user_id=ben", 404),
        (AGENT, "/user?user_id=ann", 403),
        (AGENT, "/user?user_id=ann&agent_id=coder", 403),
        (USER, "/perhaps?user_id=ann", 200),
        (USER, "/perhaps", 403),
        (USER, "/of/ann/coder", 200),
        (USER, "/of/ben/coder", 404),
        (AGENT, "/of/ann/coder", 200),
        (AGENT, "/of/ann/cook", 404),
        (USER, "/all", 403),
        (USER, "/tier?user_id=ann", 403),
        (None, "/scope?user_id=ben&agent_id=cook", 200),
        (None, "/user?user_id=ben", 200),
        (None, "/all", 200),
        (None, "/tier?user_id=ann", 200),
        (None, "/nowhere", 404),
        (USER, "/nowhere", 404),
    ],
)
async def test_the_place_of_the_user_in_a_request_says_how_far_a_key_must_reach(
    desk: Desk, of: tuple[str, str | None] | None, path: str, status: int
) -> None:
    assert await desk.ask(path, of=of) == status


ANN = {"user_id": "ann", "query": "tea"}


@pytest.mark.parametrize(
    ("of", "path", "body", "status"),
    [
        (USER, "/body", ANN, 200),
        (USER, "/body", {**ANN, "user_id": "ben"}, 404),
        (USER, "/body?user_id=ann", {**ANN, "user_id": "ben"}, 404),
        (AGENT, "/body", ANN, 403),
        (AGENT, "/body", {**ANN, "agent_id": "coder"}, 200),
        (AGENT, "/body", {**ANN, "agent_id": "cook"}, 404),
        (AGENT, "/body", {**ANN, "agent_id": ["coder"]}, 404),
        (USER, "/events", ANN, 200),
        (USER, "/events", {"events": [ANN, ANN]}, 200),
        # One of another spoils all: a client that mixes users up is wrong.
        (USER, "/events", {"events": [ANN, {"user_id": "ben"}]}, 404),
        (USER, "/events", {"events": [ANN, "nothing"]}, 403),
        (USER, "/events", {"events": [], "user_id": "ben"}, 403),
        (USER, "/events", ["ann"], 403),
        (None, "/events", {"events": [ANN, {"user_id": "ben"}]}, 200),
    ],
)
async def test_what_a_body_names_counts_as_well(
    desk: Desk, of: tuple[str, str | None] | None, path: str, body: Any, status: int
) -> None:
    assert await desk.ask(path, of=of, json=body) == status


async def test_a_body_that_names_two_users_counts_as_the_route_reads_it(desk: Desk) -> None:
    for first, last, status in (("ann", "ben", 404), ("ben", "ann", 200)):
        twice = f'{{"user_id": "{first}", "query": "tea", "user_id": "{last}"}}'
        assert await desk.ask("/body", content=twice) == status
    assert await desk.ask("/events", content=b"{") == 403


async def test_open_routes_ask_for_nothing(desk: Desk) -> None:
    transport = httpx.ASGITransport(desk.application)
    async with httpx.AsyncClient(transport=transport, base_url="http://desk") as http:
        statuses = {
            path: (await http.get(path)).status_code
            for path in ("/open", "/openapi.json", "/healthz", "/scope?user_id=ann", "/open/x")
        }
    assert statuses == {
        "/open": 200,
        "/openapi.json": 200,
        "/healthz": 200,
        "/scope?user_id=ann": 401,
        "/open/x": 401,
    }


async def test_a_limited_request_is_told_when_to_come_again() -> None:
    settings = GivenSettings(api_key=SecretStr(KEY), key_rates={"service": "1/hour"})
    application = build_http_application(
        [OneService([router()])], settings=settings, registry=CollectorRegistry()
    )
    transport = httpx.ASGITransport(application)
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://desk") as http:
        assert (await http.get("/all", headers=headers)).status_code == 200
        limited = await http.get("/all", headers=headers)
        assert limited.status_code == 429
        assert 0 < int(limited.headers["Retry-After"]) <= 3600
        assert limited.json()["reason"] == "too_many_requests"
        assert (await http.get("/open", headers=headers)).status_code == 200


def test_a_route_that_declares_nothing_is_never_served() -> None:
    undeclared = APIRouter()

    @undeclared.get("/v1/secrets")
    async def secrets() -> None: ...

    with pytest.raises(PermissionUndeclared, match="/v1/secrets"):
        build_http_application(
            [OneService([undeclared])], settings=GivenSettings(), registry=CollectorRegistry()
        )
