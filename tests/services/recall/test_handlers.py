"""The same answer over HTTP and over Kafka."""

from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from pydantic import SecretStr

from palimpsest.api.access_keys import TokenRequest
from palimpsest.api.recall import RecallRequest
from palimpsest.events.recall_exchange import RecallReplied, RecallRequested
from palimpsest.model.clock import Clock
from palimpsest.model.errors import InvalidEvent, RecordNotFound, Unauthenticated
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.stores.access_keys import InMemoryAccessKeys
from services.recall.handlers import RecallRequestHandler
from services.recall.routes import routes
from tests.support.given_settings import GivenSettings
from tests.support.server.desk_application import KEY
from tests.support.services.recall.world import NOW, World


def asked(user_id: str = "ada", of: str = "ada") -> RecallRequested:
    return RecallRequested(
        event_id="asked-1",
        occurred_at=NOW,
        user_id=user_id,
        trace="00-abc-def-01",
        request=RecallRequest(user_id=of, query="which tea?"),
    )


def handler(world: World, clock: Clock, **settings: Any) -> RecallRequestHandler:
    access = AccessControl(GivenSettings(**settings), InMemoryAccessKeys(), clock)
    return RecallRequestHandler(world.recall_handler, world.contexts, access, clock)


async def test_a_request_over_kafka_gets_the_answer_of_the_handler(
    world: World, clock: Clock
) -> None:
    memory = await world.remembered("Ada drinks oolong tea")
    replied = await handler(world, clock)(asked(), None)
    assert isinstance(replied, RecallReplied)
    assert replied.response is not None
    assert [result.id for result in replied.response.results] == [memory.id]
    assert (replied.user_id, replied.trace, replied.error) == ("ada", "00-abc-def-01", None)


async def test_a_request_for_another_user_than_its_event_is_refused(
    world: World, clock: Clock
) -> None:
    await world.remembered("Ada drinks oolong tea")
    with pytest.raises(InvalidEvent):
        await handler(world, clock)(asked(user_id="bob"), None)


async def test_where_keys_are_asked_for_a_request_over_kafka_shows_a_key_or_a_token(
    world: World, clock: Clock
) -> None:
    await world.remembered("Ada drinks oolong tea")
    guarded = handler(world, clock, api_key=SecretStr(KEY))
    with pytest.raises(Unauthenticated):
        await guarded(asked(), None)
    with pytest.raises(Unauthenticated):
        await guarded(asked(), "another key altogether")
    assert (await guarded(asked(), KEY)).response is not None
    access = AccessControl(GivenSettings(api_key=SecretStr(KEY)), InMemoryAccessKeys(), clock)
    maker = await access.admit(KEY)
    own = access.issue_token(maker, TokenRequest(user_id="ada")).token
    others = access.issue_token(maker, TokenRequest(user_id="bob")).token
    assert (await guarded(asked(), own)).response is not None
    with pytest.raises(RecordNotFound):
        await guarded(asked(), others)


@pytest.fixture
async def http(world: World) -> AsyncClient:
    application = FastAPI()
    application.include_router(routes(world.recall_handler, world.contexts))
    return AsyncClient(transport=ASGITransport(application), base_url="http://recall")


async def test_a_request_over_http_gets_the_same(world: World, http: AsyncClient) -> None:
    memory = await world.remembered("Ada drinks oolong tea")
    response = await http.post("/v1/recall", json={"user_id": "ada", "query": "which tea?"})
    assert response.status_code == 200
    body = response.json()
    assert [one["id"] for one in body["results"]] == [memory.id]
    assert body["results"][0]["evidence"][0]["quote"] == "Ada drinks oolong tea"
    assert body["gated"] is False
    assert body["took_ms"] >= 0


@pytest.mark.parametrize(
    "body",
    [
        {"user_id": "ada"},
        {"user_id": "ada", "query": ""},
        {"user_id": "ada", "query": "x" * 9000},
        {"user_id": "", "query": "tea"},
        {"user_id": "a\x00b", "query": "tea"},
        {"user_id": "u" * 257, "query": "tea"},
        {"user_id": "ada", "query": "tea", "limit": 0},
        {"user_id": "ada", "query": "tea", "limit": 101},
        {"user_id": "ada", "query": "tea", "kinds": ["rumour"]},
        {"user_id": "ada", "query": "tea", "sort": "newest"},
    ],
)
async def test_a_bad_request_is_refused(http: AsyncClient, body: dict[str, object]) -> None:
    assert (await http.post("/v1/recall", json=body)).status_code == 422
