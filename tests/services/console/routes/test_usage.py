"""What models took, as a chat service asks for it to charge credits."""

from datetime import UTC, date, datetime

import httpx
import pytest
from fastapi import FastAPI

from palimpsest.api.model_calls import ModelCallList
from palimpsest.api.resources import DeploymentUsage, UserUsage
from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.model.change_set import change_set_id
from palimpsest.model.usage import ModelCall
from palimpsest_server.stores.usage import InMemoryUsage
from services.console.model_call_pages import ModelCallPages, derive_change_set_id
from services.console.routes import usage
from tests.support.clock import SettableClock
from tests.support.services.extractor.world import SettableStates
from tests.support.stores.change_sets import InMemoryChangeSets


def call(name: str, user_id: str, day: int) -> ModelCall:
    return ModelCall(
        id=name,
        user_id=user_id,
        request_id="w",
        task="extraction",
        model="openai/m-1",
        begun_at=datetime(2026, 3, day, 12, tzinfo=UTC),
        input_tokens=10,
        output_tokens=1,
        cost_millionths=7,
    )


async def answer(path: str, **parameters: str) -> httpx.Response:
    store = InMemoryUsage()
    calls = [call("a", "ann", 1), call("b", "ann", 2), call("c", "ben", 2)]
    for model_call in calls:
        await store.begin(model_call)
    await store.end(calls)
    app = FastAPI()
    clock = SettableClock()
    clock.now = datetime(2026, 3, 30, tzinfo=UTC)
    pages = ModelCallPages(store, InMemoryChangeSets(), SettableStates())
    app.include_router(usage.build_router(store, pages, clock))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://console") as http:
        return await http.get(path, params=parameters)


async def test_of_a_user_the_days_asked_for_and_their_sum() -> None:
    found = await answer("/v1/usage", user_id="ann", since="2026-03-01", until="2026-03-31")
    mine = UserUsage.model_validate_json(found.content)
    assert [(row.day.day, row.sum.calls) for row in mine.rows] == [(2, 1), (1, 1)]
    assert (mine.total.calls, mine.total.cost_millionths) == (2, 14)


async def test_without_days_it_is_the_last_thirty() -> None:
    mine = UserUsage.model_validate_json((await answer("/v1/usage", user_id="ann")).content)
    assert (mine.since, mine.until) == (date(2026, 3, 1), date(2026, 3, 30))
    assert mine.total.calls == 2


async def test_of_a_deployment_all_users_and_nobody_by_name() -> None:
    found = await answer("/v1/usage/deployment", until="2026-03-02")
    everything = DeploymentUsage.model_validate_json(found.content)
    assert everything.total.calls == 3
    assert b"ann" not in found.content


async def test_of_a_user_needs_a_user_and_days_that_are_some() -> None:
    assert (await answer("/v1/usage")).status_code == 422
    assert (await answer("/v1/usage", user_id="ann", since="someday")).status_code == 422


@pytest.mark.parametrize("path", ["/v1/usage", "/v1/usage/deployment"])
@pytest.mark.parametrize(
    ("parameter", "moment"),
    [
        ("until", "0001-01-01"),
        ("until", "0001-01-01T00:00:00Z"),
        ("since", "0001-01-01"),
        ("until", "9999-12-31"),
        ("since", "99999999999999999999"),
    ],
)
async def test_days_that_no_calendar_can_count_from_are_refused(
    path: str, parameter: str, moment: str
) -> None:
    assert (await answer(path, user_id="ann", **{parameter: moment})).status_code == 422


@pytest.mark.parametrize("user_id", [" ", "\u3000", "\t", ""])
async def test_a_blank_user_id_is_refused(user_id: str) -> None:
    assert (await answer("/v1/usage", user_id=user_id)).status_code == 422


async def test_single_calls_come_in_pages_and_hold_no_words() -> None:
    found = await answer("/v1/usage/calls", user_id="ann", limit="1")
    first = ModelCallList.model_validate_json(found.content)
    assert [(row.id, row.cost_millionths, row.change_set_id) for row in first.calls] == [
        ("b", 7, None)
    ]
    cursor = first.next_cursor or ""
    found = await answer("/v1/usage/calls", user_id="ann", limit="1", cursor=cursor)
    second = ModelCallList.model_validate_json(found.content)
    assert ([row.id for row in second.calls], second.next_cursor) == (["a"], None)


def test_a_change_follows_from_a_call_that_did_not_fail() -> None:
    made = call("a", "ann", 1)
    event_id = CandidatesProposed.derive_id("ann", "w")
    assert derive_change_set_id(made) == change_set_id("ann", event_id)
    for changes in ({"failure": "timed_out"}, {"user_id": None, "request_id": None}, {"task": "x"}):
        assert derive_change_set_id(made.model_copy(update=changes)) is None
