"""Without a key pages from elsewhere ask in vain, though a browser on this machine asks for them."""

from collections.abc import Mapping

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from palimpsest.api.resources import Problem
from palimpsest_server.runtime.http.local_requests import is_local_name
from tests.support.server.desk_application import KEY, application

ASKED = {"user_id": "ann", "query": "tea"}


async def asked(of: FastAPI, headers: Mapping[str, str], path: str = "/v1/recall") -> int:
    transport = httpx.ASGITransport(of)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http:
        method = "POST" if path.startswith("/v1") else "GET"
        answer = await http.request(method, path, json=ASKED, headers=headers)
        if answer.status_code == 403:
            assert "PALIMPSEST_API_KEY" in Problem.model_validate_json(answer.content).message
        return answer.status_code


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "rebound.example"},
        {"Host": "rebound.example:8000"},
        {"Host": "127.0.0.1.example:8000"},
        {"Host": "192.0.2.7:8000"},
        {"Host": "[::"},
        {"Origin": "https://page.example"},
        {"Origin": "http://rebound.example:8000", "Host": "rebound.example:8000"},
        {"Origin": "null"},
    ],
)
async def test_what_a_page_from_elsewhere_asks_is_refused(headers: Mapping[str, str]) -> None:
    assert await asked(application(), headers) == 403
    # Probes hold nothing that was said, and come by any name.
    assert await asked(application(), headers, "/healthz") == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Host": "localhost:8000"},
        {"Host": "[::1]:8000"},
        {"Host": "127.1.2.3"},
        {"Host": "host.docker.internal:8000"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "http://127.0.0.1:8000", "Host": "127.0.0.1:8000"},
    ],
)
async def test_this_machine_is_answered(headers: Mapping[str, str]) -> None:
    assert await asked(application(), headers) == 200


async def test_with_a_key_it_is_the_key_that_counts() -> None:
    locked = application(api_key=SecretStr(KEY))
    elsewhere = {"Host": "memory.example", "Origin": "https://page.example"}
    assert await asked(locked, {**elsewhere, "Authorization": f"Bearer {KEY}"}) == 200
    assert await asked(locked, elsewhere) == 401


def test_a_live_connection_of_another_page_is_closed() -> None:
    browser = TestClient(application(), base_url="http://127.0.0.1:8000")
    elsewhere = {"Origin": "https://page.example"}
    with (
        pytest.raises(WebSocketDisconnect),
        browser.websocket_connect("/v1/live", headers=elsewhere),
    ):
        pass


def test_a_name_that_can_be_registered_is_not_our_own() -> None:
    for address in ("//local.host", "//localhost.example", "//x.internal.example", "//2130706433."):
        assert not is_local_name(address)
