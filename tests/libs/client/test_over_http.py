"""The client against a real HTTP server whose service does as a test tells it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

import httpx
import pytest
from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CollectorRegistry

from palimpsest.client import (
    Conflict,
    EventsRefused,
    InvalidRequest,
    Message,
    NotConnected,
    NotFound,
    PalimpsestClient,
    RequestTooLarge,
    ServerFailed,
    TimedOut,
    Unavailable,
)
from palimpsest.contracts.events import MessageAdded, SessionEnded, SessionStarted
from palimpsest.contracts.http import (
    CommandResult,
    EventBatch,
    EventResult,
    EventResults,
    MemoryList,
    MemoryQuery,
    Problem,
    SettingsUpdate,
    UsageQuery,
    UserUsage,
)
from palimpsest.contracts.recall import Recalled, RecallRequest, RecallResponse, Record
from palimpsest.domain.errors import ConflictingDuplicate, TransientError
from palimpsest.domain.errors import NotFound as MemoryNotFound
from palimpsest.domain.memory import Status
from palimpsest.domain.scope import Layer, Scope
from palimpsest.domain.turn import Role
from palimpsest.domain.usage import UsageSum
from palimpsest.runtime.http import http_application
from palimpsest.runtime.settings import Settings
from tests.serving import serving

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Server:
    """Takes whatever it is given and answers, after what it was told to raise first."""

    name = "server"

    def __init__(self) -> None:
        self.raising: list[Exception] = []
        self.answering: Callable[[list[dict[str, Any]]], EventResults | Response] = accepted
        self.bodies: list[list[dict[str, Any]]] = []
        self.requests: list[Request] = []
        self.hanging: asyncio.Event | None = None
        router = APIRouter()

        @router.post("/v1/events", response_model=None)
        async def events(batch: EventBatch, request: Request) -> EventResults | Response:
            await self._meet(request)
            self.bodies.append(batch.events)
            return self.answering(batch.events)

        @router.post("/v1/recall")
        async def recall(question: RecallRequest, request: Request) -> RecallResponse:
            await self._meet(request)
            return RecallResponse(recall_id=question.query, results=(), took_ms=0.1)

        @router.get("/v1/memories")
        async def memories(request: Request) -> MemoryList:
            await self._meet(request)
            return MemoryList(memories=())

        @router.post("/v1/memories/{memory_id}/forget")
        async def forget(memory_id: str, request: Request) -> CommandResult:
            await self._meet(request)
            return CommandResult(command_id=memory_id, applied=True)

        @router.put("/v1/settings")
        async def settings(update: SettingsUpdate, request: Request) -> CommandResult:
            await self._meet(request)
            return CommandResult(command_id=update.time_zone or "", applied=True)

        @router.get("/v1/usage")
        async def usage(query: Annotated[UsageQuery, Query()], request: Request) -> UserUsage:
            await self._meet(request)
            day = query.since or NOON.date()
            return UserUsage(
                user_id=query.user_id, since=day, until=day, rows=(), total=UsageSum(calls=3)
            )

        self.routers = [router]
        self.checks: dict[str, Any] = {}

    async def _meet(self, request: Request) -> None:
        self.requests.append(request)
        if self.hanging is not None:
            await self.hanging.wait()
        if self.raising:
            raise self.raising.pop(0)

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


def accepted(events: list[dict[str, Any]]) -> EventResults:
    return EventResults(
        results=tuple(
            EventResult(status=202, event_id=event.get("event_id"), outcome="accepted")
            for event in events
        )
    )


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
async def url(server: Server) -> AsyncIterator[str]:
    application = http_application([server], settings=Settings(), registry=CollectorRegistry())
    async with serving(application) as address:
        yield address


@pytest.fixture
async def client(url: str) -> AsyncIterator[PalimpsestClient]:
    async with PalimpsestClient(http_url=url, timeout_seconds=5, clock=lambda: NOON) as entered:
        yield entered


def message(number: int, text: str = "hello") -> MessageAdded:
    return MessageAdded(
        occurred_at=NOON + timedelta(milliseconds=number),
        user_id="ann",
        session_id="s1",
        message_id=str(number),
        role=Role.USER,
        text=text,
    )


async def test_events_arrive_with_ids_and_without_what_only_a_server_says(
    client: PalimpsestClient, server: Server
) -> None:
    started = SessionStarted(occurred_at=NOON, user_id="ann", session_id="s1", epoch=7)
    results = await client.publish([started, message(1)])
    ((first, second),) = server.bodies
    assert [first["type"], second["type"]] == ["SessionStarted", "MessageAdded"]
    assert [each.event_id for each in results] == [first["event_id"], second["event_id"]]
    assert "epoch" not in first
    assert "received_at" not in first


async def test_saying_it_again_is_saying_the_same_thing(
    client: PalimpsestClient, server: Server
) -> None:
    ended = SessionEnded(occurred_at=NOON, user_id="ann", session_id="s1")
    await client.publish([message(1), ended])
    await client.publish([message(1), ended])
    await client.remember("likes tea", user_id="ann")
    await client.remember("likes tea", user_id="ann")
    first, second, third, fourth = server.bodies
    assert first == second
    assert third == fourth


async def test_many_events_keep_their_order_over_several_bodies(
    client: PalimpsestClient, server: Server
) -> None:
    short = [message(number) for number in range(1200)]
    long = [message(1200 + number, "茶" * 20_000) for number in range(40)]
    results = await client.publish([*short, *long])
    assert len(results) == 1240
    assert len(server.bodies) == 5
    sent = [int(event["message_id"]) for body in server.bodies for event in body]
    assert sent == list(range(1240))


async def test_nothing_to_publish_asks_nobody(client: PalimpsestClient, server: Server) -> None:
    assert await client.publish([]) == ()
    assert server.requests == []


async def test_a_conversation_is_saved_in_order_and_ended(
    client: PalimpsestClient, server: Server
) -> None:
    messages = [
        Message(message_id="1", role=Role.USER, text="你好", speaker="小明"),
        Message(message_id="2", role=Role.AGENT, text="hi", agent_id="poet", occurred_at=NOON),
    ]
    await client.save_conversation(
        messages, user_id="ann", session_id="s1", agent_id="writer", ended=True
    )
    ((first, second, third),) = server.bodies
    assert (first["agent_id"], second["agent_id"]) == ("writer", "poet")
    assert (first["text"], first["speaker"]) == ("你好", "小明")
    assert third["type"] == "SessionEnded"


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
        with pytest.raises(TimedOut, match=r"no answer within 0.3 s"):
            await client.recall("tea?", user_id="ann")
    server.hanging.set()


async def test_a_server_that_comes_late_is_waited_for(server: Server) -> None:
    async with serving(_application(Server())) as gone:
        pass
    async with PalimpsestClient(http_url=gone, timeout_seconds=2) as client:
        recalling = asyncio.create_task(client.recall("tea?", user_id="ann"))
        async with serving(_application(server), port=int(gone.rsplit(":", 1)[1])):
            assert (await recalling).recall_id == "tea?"


async def test_nobody_there_is_said_so() -> None:
    async with serving(_application(Server())) as gone:
        pass
    async with PalimpsestClient(http_url=gone, timeout_seconds=2) as client:
        with pytest.raises(Unavailable, match="no answer over HTTP: ConnectError"):
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


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("recall", {"query": "tea?", "user_id": "x" * 257}, "user_id"),
    ("recall", {"query": "tea?", "user_id": "a\nb"}, "user_id"),
    ("recall", {"query": "", "user_id": "ann"}, "query"),
    ("recall", {"query": "tea?", "user_id": "ann", "limit": 0}, "limit"),
    ("recall", {"query": "tea?", "user_id": "ann", "layers": ["galaxy"]}, "layers.0"),
]


@pytest.mark.parametrize(("method", "fields", "field"), BAD)
async def test_what_the_server_would_refuse_is_refused_before_sending_in_its_words(
    client: PalimpsestClient, server: Server, url: str, method: str, fields: Any, field: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        await getattr(client, method)(**fields)
    assert server.requests == []
    assert [each.field for each in refused.value.fields] == [field]
    async with httpx.AsyncClient(base_url=url) as http:
        answer = await http.post("/v1/recall", json=fields)
    assert Problem.model_validate_json(answer.content).fields == refused.value.fields


@pytest.mark.parametrize("content", ["", "   ", "x" * 65_537, "茶" * 21_846])
async def test_content_out_of_bounds_is_never_sent(
    client: PalimpsestClient, server: Server, content: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        await client.remember(content, user_id="ann")
    assert [each.field for each in refused.value.fields] == ["content"]
    assert server.requests == []


async def test_a_body_of_ten_megabytes_is_never_sent_and_refused_in_the_servers_words(
    client: PalimpsestClient, server: Server, url: str
) -> None:
    with pytest.raises(RequestTooLarge) as refused:
        await client.remember("tea", user_id="ann", tags=("x" * 10_000_000,))
    assert server.requests == []
    async with httpx.AsyncClient(base_url=url) as http:
        answer = await http.post(
            "/v1/events",
            content=b"x" * 10_000_000,
            headers={"Content-Type": "application/json"},
        )
    assert answer.status_code == 413
    assert Problem.model_validate_json(answer.content).message == str(refused.value)


async def test_a_command_keeps_its_key_over_attempts_and_the_next_has_another(
    client: PalimpsestClient, server: Server
) -> None:
    server.raising = [TransientError("not yet")]
    await client.forget("m1", user_id="ann", reason="wrong")
    await client.set_settings("ann", time_zone="Asia/Shanghai")
    first, second, third = (each.headers["Idempotency-Key"] for each in server.requests)
    assert first == second != third


async def test_ids_travel_whatever_is_in_them(client: PalimpsestClient, server: Server) -> None:
    hostile = "a/b?c=d&e #% 小明 🦊"
    result = await client.forget("m?c=d&e #% 小明", user_id=hostile)
    assert result.command_id == "m?c=d&e #% 小明"
    assert server.requests[0].query_params["user_id"] == hostile


async def test_a_list_is_asked_for_as_the_server_reads_it(
    client: PalimpsestClient, server: Server
) -> None:
    await client.list(
        user_id="ann",
        agent_id="poet",
        layers=["agent", Layer.USER],
        status=[Status.ACTIVE, "forgotten"],
        limit=7,
    )
    parameters = server.requests[0].query_params
    read = MemoryQuery.model_validate(
        {
            "user_id": parameters["user_id"],
            "agent_id": parameters["agent_id"],
            "layers": parameters.getlist("layers"),
            "status": parameters.getlist("status"),
            "limit": int(parameters["limit"]),
        }
    )
    assert read.layers == frozenset(Layer) - {Layer.PROJECT}
    assert read.statuses == {Status.ACTIVE, Status.FORGOTTEN}
    assert read.limit == 7
    assert "kind" not in parameters


async def test_what_models_took_is_asked_for_by_days(
    client: PalimpsestClient, server: Server
) -> None:
    found = await client.usage("ann", agent_id="poet", since=date(2026, 3, 1))
    assert (found.user_id, found.since, found.total.calls) == ("ann", date(2026, 3, 1), 3)
    assert dict(server.requests[0].query_params) == {
        "user_id": "ann",
        "agent_id": "poet",
        "since": "2026-03-01",
    }
    await client.usage("ann")
    assert dict(server.requests[1].query_params) == {"user_id": "ann"}


async def test_a_client_that_was_not_entered_says_so(url: str) -> None:
    with pytest.raises(NotConnected, match="async with"):
        await PalimpsestClient(http_url=url).recall("tea?", user_id="ann")


async def test_changes_need_kafka(client: PalimpsestClient) -> None:
    with pytest.raises(NotConnected, match="kafka_bootstrap_servers"):
        client.subscribe()


def test_a_client_needs_an_address() -> None:
    with pytest.raises(ValueError, match="http_url"):
        PalimpsestClient()


def _application(server: Server) -> Any:
    return http_application([server], settings=Settings(), registry=CollectorRegistry())


async def test_feedback_is_about_one_memory_or_about_what_a_recall_returned(
    client: PalimpsestClient, server: Server
) -> None:
    recalled = Recalled(
        id="m1", record=Record.MEMORY, content="", score=1, scope=Scope(user_id="ann"),
        evidence=(), occurred_at=NOON,
    )  # fmt: skip
    turn = recalled.model_copy(update={"id": "t1", "record": Record.TURN})
    answer = RecallResponse(recall_id="r1", results=(turn, recalled), took_ms=1)
    await client.feedback("helpful", recall=answer, user_id="ann")
    await client.feedback("helpful", recall=answer, user_id="ann", occurred_at=NOON + timedelta(1))
    await client.feedback("wrong", memory_ids=["m2"], user_id="ann", agent_id="cook")
    (first,), (again,), (other,) = server.bodies
    assert (first["memory_ids"], first["recall_id"]) == (["m1"], "r1")
    assert first["event_id"] == again["event_id"]
    assert (other["verdict"], other["memory_ids"], other["agent_id"]) == ("wrong", ["m2"], "cook")
    await client.feedback("helpful", recall_id="r9", user_id="ann")
    assert server.bodies[-1][0]["recall_id"] == "r9"
    with pytest.raises(InvalidRequest):
        await client.feedback("wrong", user_id="ann")
