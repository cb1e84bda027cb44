"""What quietly bounds an answer is recalled on a whole Palimpsest by the topic of the question."""

import asyncio

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.client import PalimpsestClient
from tests.support.journeys.running import RunningPalimpsest

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]

BESIDE = {
    "en": ("works as a locksmith", "drives a blue van", "plays the organ"),
    "zh": ("做锁匠", "开一辆蓝色的面包车", "会弹风琴"),
}


async def first(client: PalimpsestClient, query: str, user_id: str) -> list[str]:
    answer = await client.recall(query, user_id=user_id, records=[RecordType.MEMORY], preview=True)
    return [result.content for result in answer.results[:1]]


async def until_first(client: PalimpsestClient, query: str, user_id: str, content: str) -> None:
    async with asyncio.timeout(60):
        while True:
            if await first(client, query, user_id) == [content]:
                return
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("language", "question", "nonsense", "allergy"),
    [
        (
            "en",
            "Suggest something to cook tonight",
            "The recipe conjugated its asterisk before dinner",
            "is allergic to shellfish",
        ),
        ("zh", "今晚帮我挑几个菜", "把星期三的括号炖成否则的汤", "对海鲜过敏"),
    ],
)
async def test_who_asks_for_dinner_is_told_of_the_allergy(
    palimpsest: RunningPalimpsest, language: str, question: str, nonsense: str, allergy: str
) -> None:
    user_id = f"dining-{language}"
    async with palimpsest.client() as client:
        for content in (*BESIDE[language], allergy):
            await client.remember(content, user_id=user_id)
        await until_first(client, question, user_id, allergy)
        assert await first(client, nonsense, user_id) == []
