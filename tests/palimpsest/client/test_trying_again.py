"""What the client does about a server that is late, away or refuses, against a real one."""

import asyncio
from typing import Any

import pytest
from fastapi.responses import PlainTextResponse, Response

from palimpsest.api.resources import EventResult, EventResults, Problem
from palimpsest.client import (
    Conflict,
    EventsRefused,
    InvalidRequest,
    NotFound,
    PalimpsestClient,
    ServerFailed,
    TimedOut,
    Unavailable,
)
from palimpsest.client.retries import retry_while_unavailable
from palimpsest.model.errors import ConflictingDuplicate, TransientError
from palimpsest.model.errors import RecordNotFound as MemoryNotFound
from tests.support.palimpsest.client.answering_server import (
    Server,
    accepted,
    application_of,
    message,
)
from tests.support.serving import serving


async def test_a_server_that_is_not_ready_is_asked_again_when_it_said(
    client: PalimpsestClient, server: Server
) -> None:
    server.raising = [TransientError("Kafka is away", retry_after_seconds=1)]
    began = asyncio.get_running_loop().time()
    (result,) = await client.publish([message(1)])
    assert result.outcome == "accepted"
    assert asyncio.get_running_loop().time() - began >= 1
    assert len(server.requests) == 2


async def test_a_wait_longer_than_the_time_left_is_not_begun(
    client: PalimpsestClient, server: Server
) -> None:
    server.raising = [TransientError("Kafka is away", retry_after_seconds=60)]
    with pytest.raises(Unavailable) as refused:
        await client.recall("tea?", user_id="ann")
    assert refused.value.reason == "unavailable"
    assert refused.value.retry_after_seconds == 60
    assert str(refused.value) == "Kafka is away"


async def test_no_answer_is_a_time_out(url: str, server: Server) -> None:
    server.hanging = asyncio.Event()
    async with PalimpsestClient(http_url=url, timeout_seconds=0.3) as client:
        with pytest.raises(TimedOut, match=r"no answer within 0.3 s from http:"):
            await client.recall("tea?", user_id="ann")
    server.hanging.set()


async def test_a_time_out_says_what_was_wrong_before() -> None:
    tries: list[None] = []

    async def attempt() -> None:
        tries.append(None)
        if len(tries) > 1:
            await asyncio.Event().wait()
        raise Unavailable(Problem(reason="no_topic", message="there is no topic replies"))

    with pytest.raises(TimedOut, match=r"within 1 s from Kafka; the try before: there is no topic"):
        await retry_while_unavailable(attempt, whom="Kafka", within_seconds=1)


async def test_a_server_that_comes_late_is_waited_for(server: Server) -> None:
    async with serving(application_of(Server())) as gone:
        pass
    async with PalimpsestClient(http_url=gone, timeout_seconds=2) as client:
        recalling = asyncio.create_task(client.recall("tea?", user_id="ann"))
        async with serving(application_of(server), port=int(gone.rsplit(":", 1)[1])):
            assert (await recalling).recall_id == "tea?"


async def test_nobody_there_is_said_so() -> None:
    async with serving(application_of(Server())) as gone:
        pass
    async with PalimpsestClient(http_url=gone, timeout_seconds=2) as client:
        with pytest.raises(
            Unavailable, match=f"no answer over HTTP from {gone}: Connection refused"
        ):
            await client.recall("tea?", user_id="ann")


@pytest.mark.parametrize(
    ("raised", "expected", "reason"),
    [
        (MemoryNotFound("nothing of this id"), NotFound, "not_found"),
        (ConflictingDuplicate("another body"), Conflict, "conflicting_duplicate"),
        (KeyError("x"), ServerFailed, "internal_server_error"),
    ],
)
async def test_errors_are_typed_and_not_tried_again(
    client: PalimpsestClient,
    server: Server,
    raised: Exception,
    expected: type[Exception],
    reason: str,
) -> None:
    server.raising = [raised]
    with pytest.raises(expected) as caught:
        await client.forget("m1", user_id="ann")
    assert getattr(caught.value, "reason", None) == reason
    assert len(server.requests) == 1


async def test_events_that_were_refused_are_an_error_with_all_results(
    client: PalimpsestClient, server: Server
) -> None:
    def partly(events: list[dict[str, Any]]) -> EventResults:
        problem = Problem(reason="conflicting_duplicate", message="known with another body")
        conflict = EventResult(status=409, outcome="conflict", problem=problem)
        return EventResults(results=(*accepted(events[1:]).results, conflict))

    server.answering = partly
    with pytest.raises(EventsRefused) as refused:
        await client.publish([message(1), message(2)])
    assert refused.value.reason == "conflicting_duplicate"
    assert "1 of 2 events were refused; known with another body" in str(refused.value)
    assert [result.status for result in refused.value.results] == [202, 409]


async def test_a_refusal_with_its_own_status_is_read_too(
    client: PalimpsestClient, server: Server
) -> None:
    problem = Problem(reason="invalid", message="text: required")
    results = EventResults(results=(EventResult(status=422, outcome="invalid", problem=problem),))
    server.answering = lambda _: Response(
        results.model_dump_json(), status_code=422, media_type="application/json"
    )
    with pytest.raises(EventsRefused, match="text: required"):
        await client.publish([message(1)])


@pytest.mark.parametrize(("status", "expected"), [(502, Unavailable), (400, InvalidRequest)])
async def test_a_proxys_answer_is_no_riddle(
    client: PalimpsestClient, server: Server, status: int, expected: type[Exception]
) -> None:
    server.answering = lambda _: PlainTextResponse(
        "<html>", status_code=status, headers={"Retry-After": "60"}
    )
    with pytest.raises(expected, match=f"the server answered {status}"):
        await client.publish([message(1)])


async def test_an_answer_that_is_none_is_said_so(client: PalimpsestClient, server: Server) -> None:
    server.answering = lambda _: PlainTextResponse("welcome")
    with pytest.raises(ServerFailed, match="not understood"):
        await client.publish([message(1)])


@pytest.mark.parametrize(
    ("address", "key"), [("http://memory.example", "a\nb"), ("http://u:p@memory.example", "key")]
)
def test_a_key_that_cannot_be_sent_is_refused_at_once(address: str, key: str) -> None:
    with pytest.raises(ValueError, match="api_key"):
        PalimpsestClient(http_url=address, api_key=key)


async def test_a_body_that_cannot_be_decoded_is_no_answer(url: str, server: Server) -> None:
    server.answering = lambda _: Response(
        b"no gzip", media_type="application/json", headers={"Content-Encoding": "gzip"}
    )
    async with PalimpsestClient(http_url=url, timeout_seconds=0.3) as client:
        with pytest.raises((Unavailable, TimedOut), match="DecodingError"):
            await client.publish([message(1)])
