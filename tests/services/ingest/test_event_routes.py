import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from palimpsest.events.conversations import MessageAdded, RememberRequested
from palimpsest.events.envelope import derive_event_id
from palimpsest.events.topics import CONVERSATIONS
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.outbox import OutboxState
from services.ingest.event_routes import build_event_router
from tests.support.services.ingest.one_service import OneService
from tests.support.services.ingest.world import World
from tests.support.turns import message, turn

MESSAGE: dict[str, Any] = {
    "type": "MessageAdded",
    "occurred_at": "2026-03-02T09:31:00Z",
    "user_id": "lin",
    "session_id": "s",
    "message_id": "m1",
    "role": "user",
    "text": "message number 1",
}
EVENT_ID = derive_event_id("MessageAdded", "lin", "s", "m1")


@pytest.fixture
async def http(world: World) -> AsyncIterator[httpx.AsyncClient]:
    application = build_http_application(
        [OneService([build_event_router(world.accepting, world.clock)])],
        settings=Settings(),
        registry=world.registry,
    )
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://ingest") as client:
        yield client


async def post(http: httpx.AsyncClient, body: object) -> httpx.Response:
    return await http.post("/v1/events", json=body)


async def test_one_event_is_kept_given_to_kafka_and_answered(
    http: httpx.AsyncClient, world: World
) -> None:
    answer = await post(http, MESSAGE)

    assert answer.status_code == 202
    assert answer.json() == {
        "status": 202, "event_id": EVENT_ID, "outcome": "accepted", "problem": None
    }  # fmt: skip
    kept = (await world.keeping.turns.standing([turn(1).id]))[turn(1).id]
    assert kept.state is OutboxState.STORED
    assert kept.item.sequence is None
    (event,) = world.log.on(CONVERSATIONS)
    assert isinstance(event, MessageAdded)
    assert (event.event_id, event.received_at, event.epoch) == (EVENT_ID, world.clock(), 0)


async def test_an_assistant_is_kept_as_an_agent(http: httpx.AsyncClient, world: World) -> None:
    said = MESSAGE | {"role": "assistant"}
    assert (await post(http, said)).status_code == 202
    assert (await post(http, said | {"role": "agent"})).json()["outcome"] == "duplicate"


async def test_secrets_never_reach_kafka(http: httpx.AsyncClient, world: World) -> None:
    await post(http, {**MESSAGE, "text": "密码是 abc123"})
    (event,) = world.log.on(CONVERSATIONS)
    assert isinstance(event, MessageAdded)
    assert event.text == "密码是 [redacted:password]"


async def test_what_was_accepted_is_taken_in_as_the_same_message(
    http: httpx.AsyncClient, world: World
) -> None:
    await post(http, {**MESSAGE, "text": "密码是 abc123"})
    accepted_at = world.clock()
    world.clock.advance(world.interval)
    assert await world.take(*world.log.on(CONVERSATIONS)) == []

    assert await world.published(1)
    kept = (await world.keeping.turns.standing([turn(1).id]))[turn(1).id]
    assert (kept.item.sequence, kept.item.received_at) == (1, accepted_at)


async def test_the_same_message_over_kafka_and_http_is_one(
    http: httpx.AsyncClient, world: World
) -> None:
    await world.take(message(1))
    answer = await post(http, {**MESSAGE, "occurred_at": message(1).occurred_at.isoformat()})

    assert (answer.status_code, answer.json()["outcome"]) == (202, "duplicate")
    assert world.log.on(CONVERSATIONS) == []


async def test_with_kafka_away_503_and_the_retry_is_the_same_event(
    http: httpx.AsyncClient, world: World
) -> None:
    world.log.down = True
    refused = await post(http, MESSAGE)
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) >= 1
    assert refused.json()["reason"] == "unavailable"

    world.log.down = False
    world.clock.advance(world.interval)
    answer = await post(http, MESSAGE)
    assert (answer.status_code, answer.json()["event_id"]) == (202, EVENT_ID)
    assert len(world.log.on(CONVERSATIONS)) == 1
    assert (await post(http, MESSAGE)).json()["outcome"] == "duplicate"


async def test_a_known_id_with_another_body_is_a_conflict(
    http: httpx.AsyncClient, world: World
) -> None:
    await post(http, MESSAGE)
    answer = await post(http, {**MESSAGE, "text": "something else"})

    assert answer.status_code == 409
    assert answer.json()["outcome"] == "conflict"
    assert answer.json()["problem"]["reason"] == "conflicting_duplicate"
    assert len(world.log.on(CONVERSATIONS)) == 1


async def test_stamps_from_outside_are_ignored(http: httpx.AsyncClient, world: World) -> None:
    await post(http, {**MESSAGE, "received_at": "2020-01-01T00:00:00Z", "epoch": 99})
    (event,) = world.log.on(CONVERSATIONS)
    assert (event.received_at, event.epoch) == (world.clock(), 0)


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"type": "Gossip"}, "type", "unknown_type"),
        ({"type": None}, "type", "unknown_type"),
        ({"type": "TurnStored"}, "type", "unknown_type"),
        ({"schema_version": 2}, "schema_version", "unknown_major"),
        ({"schema_version": "1"}, "schema_version", "invalid_event"),
        ({"occurred_at": "2026-03-02T09:31:00"}, "occurred_at", "invalid"),
        ({"user_id": "x" * 257}, "user_id", "invalid"),
        ({"session_id": "a\u0007b"}, "session_id", "invalid"),
        ({"message_id": ""}, "message_id", "invalid"),
        ({"event_id": "\ud800"}, "event_id", "invalid"),
        ({"role": "oracle"}, "role", "invalid"),
        ({"text": " \n"}, "text", "invalid"),
        ({"text": "长" * 22_000}, "text", "too_large"),
        ({"mood": "good"}, "mood", "invalid"),
        ({"images": [{"url": "u", "size": 3}]}, "images.0.size", "invalid"),
        ({"injected": [{"start": 3, "end": 999}]}, "event", "invalid_event"),
        ({"speaker": "x" * 70_000}, "event", "too_large"),
    ],
)
async def test_bad_input_is_refused_with_the_field_and_the_reason(
    http: httpx.AsyncClient, world: World, change: dict[str, Any], field: str, reason: str
) -> None:
    answer = await http.post("/v1/events", content=json.dumps({**MESSAGE, **change}))

    assert answer.status_code == 422
    problem = answer.json().get("problem") or answer.json()
    if field != "event_id":
        assert problem["reason"] == reason
        assert field in [each["field"] for each in problem["fields"]]
    assert world.log.published == []
    assert (await post(http, MESSAGE)).status_code == 202


async def test_vectors_are_never_taken_from_outside(http: httpx.AsyncClient) -> None:
    remember = {
        "type": "RememberRequested",
        "occurred_at": "2026-03-02T09:31:00Z",
        "user_id": "lin",
        "content": "I like tea.",
        "vectors": [],
    }
    answer = await post(http, remember)
    assert answer.status_code == 422
    assert answer.json()["problem"]["fields"] == [{"field": "vectors", "problem": "unknown field"}]


@pytest.mark.parametrize(
    "body", [b"{", b"", b"[]", b'"x"', b"\xff\xfe", b'{"events": 3}', b'{"events": []}']
)
async def test_a_body_that_is_no_event_at_all_is_refused(
    http: httpx.AsyncClient, body: bytes
) -> None:
    answer = await http.post("/v1/events", content=body)
    assert answer.status_code == 422
    assert answer.json()["fields"]


async def test_each_of_many_is_answered_for_itself(http: httpx.AsyncClient, world: World) -> None:
    await post(http, MESSAGE)
    events = [
        {**MESSAGE, "message_id": "m2"},
        {**MESSAGE, "text": "something else"},
        {**MESSAGE, "message_id": "m2"},
        {**MESSAGE, "message_id": "m2", "text": "something else"},
        {**MESSAGE, "message_id": "m3", "incognito": True},
        {"type": "SessionEnded", "user_id": "lin", "session_id": "s", "occurred_at": "2026-03-02T10:00:00Z"},
        {"type": "Gossip"},
    ]  # fmt: skip
    answer = await post(http, {"events": events})

    assert answer.status_code == 207
    assert [(each["status"], each["outcome"]) for each in answer.json()["results"]] == [
        (202, "accepted"),
        (409, "conflict"),
        (202, "duplicate"),
        (409, "conflict"),
        (202, "dropped"),
        (202, "accepted"),
        (422, "invalid"),
    ]
    assert [event.type for event in world.log.on(CONVERSATIONS)] == [
        "MessageAdded",
        "MessageAdded",
        "SessionEnded",
    ]


async def test_many_that_are_all_accepted_are_answered_202(http: httpx.AsyncClient) -> None:
    events = [{**MESSAGE, "message_id": f"m{number}"} for number in range(500)]
    answer = await post(http, {"events": events})
    assert answer.status_code == 202
    assert {each["status"] for each in answer.json()["results"]} == {202}
    assert (await post(http, {"events": [*events, MESSAGE]})).status_code == 422


async def test_with_memory_off_the_answer_is_dropped_and_nothing_is_kept(
    http: httpx.AsyncClient, world: World
) -> None:
    world.users.settle("lin", memory_enabled=False)
    answer = await post(http, MESSAGE)

    assert (answer.status_code, answer.json()["outcome"]) == (202, "dropped")
    assert world.log.published == []
    assert await world.keeping.turns.standing([turn(1).id]) == {}


async def test_a_wish_to_remember_without_an_id_is_one_wish_however_often_it_is_sent(
    http: httpx.AsyncClient, world: World
) -> None:
    wish = {
        "type": "RememberRequested",
        "occurred_at": "2026-03-02T09:31:00Z",
        "user_id": "lin",
        "content": "password: hunter2",
        "data": {"a": ["token=abcdef1234567"]},
        "trace": "password: hunter2",
    }
    first, second = await post(http, wish), await post(http, wish)
    assert first.json()["event_id"] == second.json()["event_id"]

    await world.take(*world.log.on(CONVERSATIONS))
    (event,) = world.log.of(RememberRequested)
    assert event.content == "password: [redacted:password]"
    assert event.data == {"a": ["token=[redacted:secret]"]}
    assert event.trace == "password: [redacted:password]"


async def test_openapi_says_what_is_taken_and_answered(http: httpx.AsyncClient) -> None:
    document = (await http.get("/openapi.json")).json()
    post_events = document["paths"]["/v1/events"]["post"]
    assert set(post_events["responses"]) >= {"202", "207", "409", "422", "503"}
    assert post_events["requestBody"]["required"]
