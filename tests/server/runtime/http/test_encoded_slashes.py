"""An encoded slash belongs to an id, a plain one stands between the parts of a path."""

from urllib.parse import quote

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router

from palimpsest_server.runtime.http.encoded_slashes import EncodedSlashes, restore_slashes


async def answer_ids(request: Request) -> Response:
    return JSONResponse(dict(request.path_params))


@pytest.fixture
def http() -> httpx.AsyncClient:
    routes = [
        Route("/users/{user_id}", answer_ids),
        Route("/users/{user_id}/{agent_id}", answer_ids),
    ]
    for route in routes:
        restore_slashes(route)
    transport = httpx.ASGITransport(EncodedSlashes(Router(routes)))
    return httpx.AsyncClient(transport=transport, base_url="http://ids")


@pytest.mark.parametrize("user_id", ["ada", "a/b", "/", "团队/小王", "100%2F", "a b?#&+=", "é/ü"])
@pytest.mark.parametrize("agent_id", ["cook", "chef/2", "厨师"])
async def test_ids_come_as_they_were_encoded(
    http: httpx.AsyncClient, user_id: str, agent_id: str
) -> None:
    path = f"/users/{quote(user_id, safe='')}"
    assert (await http.get(path)).json() == {"user_id": user_id}
    both = await http.get(f"{path}/{quote(agent_id, safe='')}")
    assert both.json() == {"user_id": user_id, "agent_id": agent_id}


async def test_a_lower_case_code_means_the_same(http: httpx.AsyncClient) -> None:
    assert (await http.get("/users/a%2fb")).json() == {"user_id": "a/b"}


async def test_a_plain_slash_parts_ids(http: httpx.AsyncClient) -> None:
    assert (await http.get("/users/a/b")).json() == {"user_id": "a", "agent_id": "b"}
    assert (await http.get("/users/a/b/c")).status_code == 404
