"""Who may ask: nobody without the key, where there is one; and no open port without one."""

from collections.abc import AsyncIterator

import httpx
import pytest
from pydantic import SecretStr, ValidationError
from starlette.responses import StreamingResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from palimpsest.api.resources import Problem
from palimpsest.client import NotAllowed, PalimpsestClient
from palimpsest_server.domain.access.grant import UNGUARDED, Grant
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.runtime.http.authentication import (
    Authentication,
    ServiceKeyMissing,
    is_loopback,
)
from palimpsest_server.runtime.http.open_routes import OpenRoutes
from palimpsest_server.runtime.settings import Settings
from tests.support.server.desk_application import KEY, application
from tests.support.serving import serving


@pytest.fixture
async def locked() -> AsyncIterator[str]:
    async with serving(application(api_key=SecretStr(KEY))) as url:
        yield url


async def test_who_shows_the_key_is_answered(locked: str) -> None:
    async with PalimpsestClient(http_url=locked, api_key=KEY) as client:
        assert (await client.recall("tea", user_id="ann")).recall_id == "tea"


async def test_without_the_key_the_client_is_told_at_once(locked: str) -> None:
    async with PalimpsestClient(http_url=locked) as client:
        with pytest.raises(NotAllowed, match="PALIMPSEST_API_KEY"):
            await client.recall("tea", user_id="ann")


@pytest.mark.parametrize(
    "shown",
    ["", KEY, f"Bearer {KEY}x", f"Bearer {KEY[:-1]}", f"Basic {KEY}", "Bearer", "Bearer é"],
)
async def test_nothing_but_the_whole_key_opens(locked: str, shown: str) -> None:
    headers = {b"Authorization": shown.encode()}
    async with httpx.AsyncClient(base_url=locked, timeout=60) as http:
        for path in ("/v1/recall", "/nowhere", "/metrics/../v1/recall"):
            answer = await http.post(path, json={"user_id": "a", "query": "b"}, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            assert Problem.model_validate_json(answer.content).reason == "unauthorized"
            assert KEY not in answer.text


async def test_probes_and_metrics_are_open_and_hold_nothing_a_user_said(locked: str) -> None:
    async with httpx.AsyncClient(base_url=locked, timeout=60) as http:
        for path in ("/healthz", "/readyz", "/metrics", "/openapi.json"):
            assert (await http.get(path)).status_code == 200


def test_a_live_connection_is_refused_without_a_key() -> None:
    browser = TestClient(application(api_key=SecretStr(KEY)))
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/v1/live"):
        pass


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "memory.example", ""])  # noqa: S104
def test_nobody_listens_where_others_reach_it_without_a_key(host: str) -> None:
    with pytest.raises(ServiceKeyMissing, match="openssl rand"):
        application(http_host=host)
    application(http_host=host, api_key=SecretStr(KEY))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_on_loopback_no_key_is_needed(host: str) -> None:
    assert is_loopback(host)
    application(http_host=host)


def test_an_empty_or_short_key_is_no_key() -> None:
    for key in ("", "secret", "x" * 15):
        with pytest.raises(ValidationError) as refused:
            Settings(api_key=SecretStr(key))
        assert key not in str(refused.value) or not key


class RevokedAfterOnePart(AccessControl):
    """Access that a key opens until one part of the answer was sent."""

    def __init__(self) -> None:
        self.parts = 0

    async def admit(self, shown: str | None) -> Grant:  # noqa: ARG002 - whoever asks
        return UNGUARDED

    async def still_opens(self, shown: str | None, grant: Grant) -> bool:  # noqa: ARG002
        self.parts += 1
        return self.parts == 1


async def test_a_stream_of_events_ends_when_its_key_is_revoked() -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"data: {}\n\n"

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        answer = StreamingResponse(endless(), media_type="text/event-stream")
        await answer(scope, receive, send)

    guarded = Authentication(stream, access=RevokedAfterOnePart(), open_routes=OpenRoutes([]))
    transport = httpx.ASGITransport(guarded)
    async with httpx.AsyncClient(transport=transport, base_url="http://desk") as http:
        assert (await http.get("/v1/events/stream")).content == b"data: {}\n\n"
