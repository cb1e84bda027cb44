"""What sessions were about is told of those alone that rest on nothing their user took back."""

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from palimpsest.api.resources import SummaryList
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.user import UserState
from palimpsest_server.stores.summaries import InMemorySummaries
from services.ingest.session_routes import build_session_router
from tests.support.services.ingest.world import World
from tests.support.stores.summaries import summary

OLD, NEW = summary("old", hours_ago=2), summary("new", hours_ago=1)


@pytest.fixture
async def http(world: World) -> AsyncIterator[httpx.AsyncClient]:
    summaries = InMemorySummaries()
    await summaries.write([OLD, NEW])
    app = FastAPI()
    app.include_router(
        build_session_router(summaries, world.users, lambda: NEW.ended_at, world.extracting)
    )
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://ingest", params={"user_id": "ann"}
    ) as client:
        yield client


async def listed(http: httpx.AsyncClient) -> list[str]:
    answer = await http.get("/v1/sessions/summaries", params={"limit": 1})
    return [
        session_summary.text
        for session_summary in SummaryList.model_validate_json(answer.content).summaries
    ]


async def test_one_that_is_not_told_takes_no_place_of_another(
    world: World, http: httpx.AsyncClient
) -> None:
    assert await listed(http) == ["new"]
    assert (await http.get("/v1/sessions/new/summary")).status_code == 200

    world.users.states["ann"] = UserState(not_told={NEW.id: frozenset({"t"})})

    assert await listed(http) == ["old"]
    with pytest.raises(RecordNotFound):
        await http.get("/v1/sessions/new/summary")
    assert (await http.get("/v1/sessions/old/summary")).status_code == 200
