"""What was asked for a user, what was returned and what was used, page by page."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI

from palimpsest.api.recall import RecallTrace, RecordType, TracedResult, TraceList
from palimpsest.model.user import UserState
from palimpsest_server.stores.recall_traces import InMemoryRecallTraces
from services.console.routes import traces
from tests.support.services.recall.stand_ins import States

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def trace(name: str, minutes: int) -> RecallTrace:
    return RecallTrace(
        recall_id=name,
        asked=f"question {name}",
        asked_at=AT + timedelta(minutes=minutes),
        results=(TracedResult(id="tea", record=RecordType.MEMORY, score=0.5),),
        used=("tea",),
    )


@pytest.fixture
def store() -> InMemoryRecallTraces:
    store = InMemoryRecallTraces()
    for number, name in enumerate(("a", "b", "c")):
        store.keep("ann", trace(name, number))
    store.keep("ben", trace("d", 9))
    return store


async def page(
    store: InMemoryRecallTraces, states: States | None = None, **parameters: str
) -> httpx.Response:
    app = FastAPI()
    app.include_router(traces.build_router(store, states or States()))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://console") as http:
        return await http.get("/v1/traces", params={"user_id": "ann", **parameters})


async def test_the_newest_come_first_and_the_next_page_goes_on(store: InMemoryRecallTraces) -> None:
    first = TraceList.model_validate_json((await page(store, limit="2")).content)
    assert [recall_trace.recall_id for recall_trace in first.traces] == ["c", "b"]
    assert first.traces[0] == trace("c", 2)
    assert first.next_cursor == "b"
    rest = TraceList.model_validate_json((await page(store, limit="2", cursor="b")).content)
    assert ([recall_trace.recall_id for recall_trace in rest.traces], rest.next_cursor) == (
        ["a"],
        None,
    )


async def test_an_agent_reads_what_it_asked_and_goes_on_page_by_page(
    store: InMemoryRecallTraces,
) -> None:
    for number, name in enumerate(("e", "f")):
        store.keep("ann", trace(name, 10 + number), agent_id="poet")
    store.keep("ann", trace("g", 20), agent_id="cook")
    first = TraceList.model_validate_json((await page(store, agent_id="poet", limit="1")).content)
    assert ([found.recall_id for found in first.traces], first.next_cursor) == (["f"], "f")
    rest = await page(store, agent_id="poet", cursor="f")
    found = TraceList.model_validate_json(rest.content)
    assert [recall_trace.recall_id for recall_trace in found.traces] == ["e"]


async def test_of_an_older_epoch_nothing_is_shown(store: InMemoryRecallTraces) -> None:
    states = States({"ann": UserState(epoch=1)})
    store.keep("ann", trace("since", 20), epoch=1)
    found = TraceList.model_validate_json((await page(store, states)).content)
    assert [recall_trace.recall_id for recall_trace in found.traces] == ["since"]


async def test_what_is_no_query_is_refused(store: InMemoryRecallTraces) -> None:
    assert (await page(store, limit="0")).status_code == 422
