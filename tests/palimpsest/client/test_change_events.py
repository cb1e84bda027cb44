"""A stream of changes over HTTP: taken up behind the last event wherever it breaks off."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import Response, StreamingResponse

from palimpsest.api.change_events import ChangedRecord, ChangeEvent, ChangeEventType
from palimpsest.client import PalimpsestClient, ServerFailed, Unavailable
from tests.support.palimpsest.client.answering_server import NOON
from tests.support.serving import serving

READY = ": ready\nid: 0.0.0\nretry: 1000\n\n"


def event(number: int) -> ChangeEvent:
    record = ChangedRecord(
        record="memory", id=f"m{number}", user_id="ann", change_set_id="c", revision=number
    )
    return ChangeEvent(
        id=f"e{number}", type=ChangeEventType.MEMORY_CREATED, timestamp=NOON, data=record
    )


def written(number: int) -> str:
    data = event(number).model_dump_json(exclude_none=True)
    return f"id: {number}.1.0\nevent: memory.created\ndata: {data}\n\n"


async def read(*streams: str, wanted: int) -> tuple[list[str | None], list[str | None]]:
    """Read that many events from a server that breaks off after each of these streams."""
    asked: list[str | None] = []

    async def parts(words: str) -> AsyncIterator[bytes]:
        yield words.encode()

    app = FastAPI()

    @app.get("/v1/events/stream")
    async def stream(request: Request) -> Response:
        asked.append(request.query_params.get("after"))
        if len(asked) > len(streams):
            return Response(status_code=503)
        return StreamingResponse(parts(streams[len(asked) - 1]), media_type="text/event-stream")

    found: list[str | None] = []
    async with serving(app) as url, PalimpsestClient(http_url=url, timeout_seconds=1) as client:
        async for change in client.watch(user_id="ann"):
            found.append(change.position)
            if len(found) == wanted:
                break
    return found, asked


async def test_a_stream_that_broke_off_goes_on_behind_the_last_event() -> None:
    first = READY + written(1) + ": ping\n\n" + written(2)
    # Of the third only the id came through.
    found, asked = await read(first + "id: 3.1.0\n", READY + written(3), wanted=3)
    assert found == ["1.1.0", "2.1.0", "3.1.0"]
    assert asked == [None, "2.1.0"]


async def test_where_nobody_answers_any_more_it_says_so() -> None:
    with pytest.raises(Unavailable):
        await read(READY + written(1), wanted=2)


async def test_an_event_of_another_shape_is_not_understood() -> None:
    with pytest.raises(ServerFailed, match="newer version"):
        await read(READY + "id: 1.1.0\ndata: {}\n\n", wanted=1)


async def test_an_erasure_of_everything_names_no_record_and_is_read() -> None:
    record = ChangedRecord(
        record="memory", id=None, user_id="ann", change_set_id="c", revision=1, status="purged"
    )
    erased = event(1).model_copy(update={"type": ChangeEventType.MEMORY_PURGED, "data": record})
    data = erased.model_dump_json(exclude_none=True)
    found, _ = await read(f"{READY}id: 1.1.0\ndata: {data}\n\n", wanted=1)
    assert found == ["1.1.0"]
