"""What is to be done, from being mentioned to a reminder and to being done, on a whole Palimpsest."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from aiokafka import AIOKafkaConsumer

from palimpsest.client import Message
from palimpsest.events.topics import NOTIFICATIONS
from palimpsest.model.turn import Role
from tests.support.journeys.running import RunningPalimpsest

pytestmark = pytest.mark.embedded


async def until_todos(
    http: httpx.AsyncClient, user_id: str, count: int, state: str
) -> list[dict[str, Any]]:
    async with asyncio.timeout(60):
        while True:
            answer = await http.get(
                "/v1/todos", params={"user_id": user_id, "agent_id": "aide", "state": state}
            )
            todos: list[dict[str, Any]] = answer.raise_for_status().json()["todos"]
            if len(todos) == count:
                return todos
            await asyncio.sleep(0.05)


async def until_time_zone(http: httpx.AsyncClient, user_id: str, expected: str) -> None:
    async with asyncio.timeout(60):
        while True:
            settings = await http.get("/v1/settings", params={"user_id": user_id})
            if settings.raise_for_status().json()["time_zone"] == expected:
                return
            await asyncio.sleep(0.05)


async def reminder(palimpsest: RunningPalimpsest, user_id: str) -> dict[str, Any]:
    """The first one for this user, as a chat service reads it."""
    consumer = AIOKafkaConsumer(
        NOTIFICATIONS.name,
        bootstrap_servers=palimpsest.instance.kafka_bootstrap_servers,
        auto_offset_reset="earliest",
    )
    await consumer.start()
    try:
        async with asyncio.timeout(60):
            async for record in consumer:
                event: dict[str, Any] = json.loads(record.value)
                if event["user_id"] == user_id:
                    return event
    finally:
        await consumer.stop()
    raise AssertionError


def said(*texts: str, at: datetime) -> list[Message]:
    return [
        Message(
            message_id=f"m{number}-{at:%M%S}",
            role=Role.USER,
            text=text,
            occurred_at=at + timedelta(seconds=number),
        )
        for number, text in enumerate(texts)
    ]


async def test_a_todo_is_noted_reminded_of_done_and_opened_again(
    palimpsest: RunningPalimpsest,
) -> None:
    now = datetime.now(UTC)
    mentioned = said("提醒我20分钟后给房东打电话。", "我明天要交季度报告。", at=now)
    async with (
        palimpsest.client() as client,
        httpx.AsyncClient(
            base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
        ) as http,
    ):
        await client.save_conversation(
            mentioned, user_id="mei", session_id="s1", agent_id="aide", ended=True
        )
        # Which is due first depends on the hour: late in the evening the call is tomorrow as well.
        both = await until_todos(http, "mei", 2, "open")
        call, report = sorted(both, key=lambda todo: todo["all_day"])
        assert "房东" in call["content"]
        assert (call["all_day"], report["all_day"]) == (False, True)
        due_at = datetime.fromisoformat(call["due_at"])
        assert timedelta() <= due_at - now <= timedelta(minutes=21)

        # Due within the hour: at once, on the topic that chat services read.
        assert (await reminder(palimpsest, "mei"))["todo_id"] == call["id"]

        await client.save_conversation(
            said("季度报告交了。", at=now + timedelta(minutes=1)),
            user_id="mei",
            session_id="s2",
            agent_id="aide",
            ended=True,
        )
        (done,) = await until_todos(http, "mei", 1, "done")
        assert (done["id"], done["completed_at"] is not None) == (report["id"], True)

        seen_from = {"user_id": "mei", "agent_id": "aide"}
        closed = await http.post(f"/v1/todos/{call['id']}/complete", params=seen_from)
        assert closed.json()["todo"]["state"] == "done"
        opened = await http.post(f"/v1/todos/{call['id']}/reopen", params=seen_from)
        assert opened.json()["todo"]["state"] == "open"
        stranger = await http.post(
            f"/v1/todos/{call['id']}/complete", params={"user_id": "somebody-else"}
        )
        assert stranger.status_code == 404


async def test_tomorrow_at_three_is_where_the_user_is_by_the_offset_of_the_message(
    palimpsest: RunningPalimpsest,
) -> None:
    async def say(message_id: str, text: str, occurred_at: str) -> None:
        event = {
            "type": "MessageAdded",
            "user_id": "yan",
            "agent_id": "aide",
            "session_id": message_id,
            "message_id": message_id,
            "role": "user",
            "text": text,
            "occurred_at": occurred_at,
        }
        (await http.post("/v1/events", json=event)).raise_for_status()
        end = {name: event[name] for name in ("user_id", "session_id", "occurred_at")}
        (await http.post("/v1/events", json={"type": "SessionEnded", **end})).raise_for_status()

    async with httpx.AsyncClient(
        base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
    ) as http:
        # In Greenwich it is still the 15th.
        await say("m1", "提醒我明天下午三点去取快递。", "2026-11-16T07:30:00+08:00")
        (parcel,) = await until_todos(http, "yan", 1, "open")
        assert datetime.fromisoformat(parcel["due_at"]) == datetime(2026, 11, 17, 7, tzinfo=UTC)
        # The settings of the same change set are written after its todos.
        await until_time_zone(http, "yan", "Etc/GMT-8")

        chosen = await http.put(
            "/v1/settings", params={"user_id": "yan"}, json={"time_zone": "Asia/Tokyo"}
        )
        chosen.raise_for_status()
        await say("m2", "提醒我明天交房租。", "2026-11-16T07:40:00+08:00")
        both = await until_todos(http, "yan", 2, "open")
        (rent,) = [todo for todo in both if todo["all_day"]]
        # What somebody has settled is not heard over: the day begins in Tokyo.
        assert datetime.fromisoformat(rent["due_at"]) == datetime(2026, 11, 16, 15, tzinfo=UTC)


async def test_asked_what_is_still_to_be_done_recall_tells_what_is_open(
    palimpsest: RunningPalimpsest,
) -> None:
    now = datetime.now(UTC)
    async with (
        palimpsest.client() as client,
        httpx.AsyncClient(
            base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
        ) as http,
    ):
        noted = said(
            "提醒我后天交取暖费。", "我明天要交季度报告。", "I must renew my passport.", at=now
        )
        await client.save_conversation(
            noted, user_id="fang", session_id="s1", agent_id="aide", ended=True
        )
        await until_todos(http, "fang", 3, "open")
        for question in ("我还有哪些事没办", "is there anything I still have to do?"):
            answer = await client.recall(question, user_id="fang", agent_id="aide")
            report, heating, passport = [result.content for result in answer.results]
            assert ("报告" in report, "取暖费" in heating, "passport" in passport) == (True,) * 3

        await client.save_conversation(
            said("季度报告交了。", at=now + timedelta(minutes=1)),
            user_id="fang",
            session_id="s2",
            agent_id="aide",
            ended=True,
        )
        await until_todos(http, "fang", 1, "done")
        left = await client.recall("我的待办有哪些", user_id="fang", agent_id="aide")
        assert len(left.results) == 2
        assert not any("报告" in result.content for result in left.results)


async def test_what_was_to_be_done_is_closed_by_what_people_say_of_it(
    palimpsest: RunningPalimpsest,
) -> None:
    now = datetime.now(UTC)
    noted = said(
        "I must ring the boiler man tomorrow.",
        "I have to book flights.",
        "提醒我晚上八点给妈妈打电话",
        "月底前要交取暖费",
        at=now,
    )
    done = said(
        "The boiler man came, it was just a valve.",
        "Renewed my passport, also booked the flights.",
        "已经给妈妈打过电话了",
        "取暖费交了，1860，比去年贵",
        "今天去复查，医生给换药了",
        at=now + timedelta(minutes=1),
    )
    async with (
        palimpsest.client() as client,
        httpx.AsyncClient(
            base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
        ) as http,
    ):
        for session, messages in (("s1", noted), ("s2", done)):
            await client.save_conversation(
                messages, user_id="gao", session_id=session, agent_id="aide", ended=True
            )
            await until_todos(http, "gao", 4, "open" if session == "s1" else "done")
        assert await until_todos(http, "gao", 0, "open") == []


async def test_a_todo_by_hand_is_due_when_it_says_or_when_it_was_stated(
    palimpsest: RunningPalimpsest,
) -> None:
    due = (datetime.now(UTC) + timedelta(minutes=30)).replace(microsecond=0)
    whose = {"user_id": "ute"}
    async with httpx.AsyncClient(
        base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
    ) as http:
        worded = await http.post("/v1/todos", params=whose, json={"content": "明天下午三点交报告"})
        stated = await http.post(
            "/v1/todos",
            params=whose,
            json={"content": "call mom tomorrow", "due_at": due.isoformat()},
        )
        in_data = await http.post(
            "/v1/memories",
            params=whose,
            json={
                "content": "pay",
                "kind": "action_item",
                "data": {"due_at": due.isoformat()},
                "expires_at": (due + timedelta(days=1)).isoformat(),
            },
        )
        found = {
            todo["content"]: todo
            for todo in (await http.get("/v1/todos", params=whose)).json()["todos"]
        }
        refused = await http.post(
            "/v1/memories", params=whose, json={"content": "tea", "due_at": due.isoformat()}
        )
    assert worded.json()["todo"] == found["明天下午三点交报告"]
    assert found["明天下午三点交报告"]["due_at"].endswith("T15:00:00Z")
    assert stated.json()["todo"]["id"] == found["call mom tomorrow"]["id"]
    assert [
        datetime.fromisoformat(found[content]["due_at"]) for content in ("call mom tomorrow", "pay")
    ] == [due, due]
    assert in_data.json()["memory"]["expires_at"] is not None
    assert refused.status_code == 422
    told = await reminder(palimpsest, "ute")
    assert told["text"].startswith("Reminder: ")
