"""The client against a real HTTP server whose service does as a test tells it."""

from datetime import date, timedelta

import pytest

from palimpsest.api.recall import RecallResponse, RecallResult, RecordType
from palimpsest.api.resources import MemoryQuery
from palimpsest.client import InvalidRequest, Message, NotConnected, PalimpsestClient
from palimpsest.events.conversations import SessionEnded, SessionStarted
from palimpsest.model.errors import TransientError
from palimpsest.model.memory import Status
from palimpsest.model.scope import Layer, Scope
from palimpsest.model.turn import Role
from tests.support.palimpsest.client.answering_server import NOON, Server, message


async def test_events_arrive_with_ids_and_without_what_only_a_server_says(
    client: PalimpsestClient, server: Server
) -> None:
    started = SessionStarted(occurred_at=NOON, user_id="ann", session_id="s1", epoch=7)
    results = await client.publish([started, message(1)])
    ((first, second),) = server.bodies
    assert [first["type"], second["type"]] == ["SessionStarted", "MessageAdded"]
    assert [result.event_id for result in results] == [first["event_id"], second["event_id"]]
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


async def test_a_command_keeps_its_key_over_attempts_and_the_next_has_another(
    client: PalimpsestClient, server: Server
) -> None:
    server.raising = [TransientError("not yet")]
    await client.forget("m1", user_id="ann", reason="wrong")
    await client.set_settings("ann", time_zone="Asia/Shanghai")
    first, second, third = (request.headers["Idempotency-Key"] for request in server.requests)
    assert first == second != third


@pytest.mark.parametrize("key", ["订单 7", "café", "two\nlines", " padded ", "🦊"])
async def test_a_key_that_no_header_holds_is_sent_as_an_id_derived_from_it(
    client: PalimpsestClient, server: Server, key: str
) -> None:
    for given in (key, key, f"{key}!", "order 7"):
        await client.forget("m1", user_id="ann", idempotency_key=given)
    first, second, other, plain = (
        request.headers["Idempotency-Key"] for request in server.requests
    )
    assert first == second != other
    assert plain == "order 7"


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


async def test_feedback_is_about_one_memory_or_about_what_a_recall_returned(
    client: PalimpsestClient, server: Server
) -> None:
    recalled = RecallResult(
        id="m1", record=RecordType.MEMORY, content="", score=1, scope=Scope(user_id="ann"),
        evidence=(), occurred_at=NOON,
    )  # fmt: skip
    turn = recalled.model_copy(update={"id": "t1", "record": RecordType.TURN})
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
