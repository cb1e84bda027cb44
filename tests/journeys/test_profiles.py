"""What is known of somebody in a few paragraphs, from what they said to the next version of it."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.support.journeys.running import RunningPalimpsest

pytestmark = pytest.mark.embedded


async def until_known(http: httpx.AsyncClient, user: str, *words: str) -> dict[str, Any]:
    async with asyncio.timeout(90):
        while True:
            answer = await http.get("/v1/profile", params={"user_id": user, "language": "zh"})
            profile: dict[str, Any] = answer.raise_for_status().json()
            if all(word in profile["narrative"] for word in words):
                return profile
            await asyncio.sleep(0.2)


async def test_a_profile_grows_with_what_somebody_wants_remembered(
    palimpsest: RunningPalimpsest,
) -> None:
    async with (
        palimpsest.client() as client,
        httpx.AsyncClient(
            base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
        ) as http,
    ):
        assert (await until_known(http, "ming"))["narrative"] == "新用户，尚无信息"
        await client.remember(
            "用户在上海工作", user_id="ming", attribute="city", value="上海", subject="user"
        )
        first = await until_known(http, "ming", "上海")
        assert (first["version"], first["basic_info"]) == (1, {"city": "上海"})
        await client.remember(
            "用户搬到了杭州", user_id="ming", attribute="city", value="杭州", subject="user"
        )
        second = await until_known(http, "ming", "过去：用户在上海工作；现在：用户搬到了杭州")
        assert (second["version"], second["basic_info"]) == (2, {"city": "杭州"})
        asked = {"user_id": "ming", "format": "profile", "language": "zh"}
        context = (await http.post("/v1/context", json=asked)).raise_for_status().json()
        assert second["narrative"] in context["block"]
        history = await http.get("/v1/profile/versions", params={"user_id": "ming"})
        assert [each["version"] for each in history.json()["versions"]] == [2, 1]
