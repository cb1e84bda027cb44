"""What a conversation was about, from its end to being found again, on a whole Palimpsest."""

import asyncio
from typing import Any

import httpx
import pytest

from palimpsest.api.recall import RecordType
from palimpsest.events.conversations import SummaryPublished
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.talking import MORNING, spoken

pytestmark = pytest.mark.embedded

JOB = (
    "我最近在考虑换工作。",
    "可以聊聊是什么原因吗？",
    "主要是现在的工作压力太大了，我很焦虑。",
    "换工作之后最担心什么？",
    "担心换工作以后收入下降。",
    "要不要先看看机会？",
    "我还没决定要不要换工作，想再观察一段时间。",
)


async def until_summed_up(http: httpx.AsyncClient, user: str, messages: int) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while True:
            answer = await http.get("/v1/sessions/s1/summary", params={"user_id": user})
            summary: dict[str, Any] = answer.json()
            if answer.status_code == 200 and summary["message_count"] >= messages:
                return summary
            await asyncio.sleep(0.1)


async def test_a_session_is_summed_up_when_it_ends_and_anew_when_it_goes_on(
    palimpsest: RunningPalimpsest,
) -> None:
    async with (
        palimpsest.client() as client,
        httpx.AsyncClient(
            base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
        ) as http,
    ):
        await client.save_conversation(spoken(*JOB), user_id="xia", session_id="s1", ended=True)
        summary = await until_summed_up(http, "xia", len(JOB))
        assert "换工作" in summary["text"]
        assert summary["made_by"] == "local"
        assert "焦虑" in summary["emotional_tone"]

        more = spoken("我决定了：接受新公司的邀请。", first=8)
        await client.save_conversation(more, user_id="xia", session_id="s1", ended=True)
        again = await until_summed_up(http, "xia", len(JOB) + 1)
        assert again["version"] > summary["version"]

        async with asyncio.timeout(60):
            while True:
                found = await client.recall(
                    "上次聊的换工作怎么样了？", user_id="xia", records=[RecordType.SUMMARY]
                )
                if found.results:
                    break
        assert [result.id for result in found.results] == [summary["id"]]
        stranger = await http.get("/v1/sessions/s1/summary", params={"user_id": "somebody"})
        assert stranger.status_code == 404
        listed = await http.get("/v1/sessions/summaries", params={"user_id": "xia"})
        assert [each["session_id"] for each in listed.json()["summaries"]] == ["s1"]


async def test_a_chat_service_may_sum_up_itself(palimpsest: RunningPalimpsest) -> None:
    published = SummaryPublished(
        user_id="yun",
        session_id="s1",
        occurred_at=MORNING,
        text="用户想换工作，还没决定。",
        topics=("职业",),
        message_count=7,
    )
    async with httpx.AsyncClient(
        base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
    ) as http:
        body = published.model_dump(
            mode="json", exclude_none=True, exclude={"event_id", "vectors", "epoch", "received_at"}
        )
        answer = await http.post("/v1/events", json=body)
        assert answer.status_code == 202, answer.text
        summary = await until_summed_up(http, "yun", 7)
    assert (summary["text"], summary["made_by"]) == ("用户想换工作，还没决定。", "chat_service")
