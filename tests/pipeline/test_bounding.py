"""What quietly bounds an answer, told in a conversation or by hand, on a whole Palimpsest."""

import asyncio

import pytest

from palimpsest.contracts.recall import Record
from palimpsest.domain.memory import Status
from tests.pipeline.running import RunningPalimpsest
from tests.pipeline.waiting import until_listed

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]

REMEMBERED = {
    "en": {"is allergic to shellfish", "works as a locksmith", "drives a blue van", "plays the organ"},
    "zh": {"对海鲜过敏", "做锁匠", "开一辆蓝色的面包车", "会弹风琴"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "question", "nonsense", "bounds"),
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
    palimpsest: RunningPalimpsest, language: str, question: str, nonsense: str, bounds: str
) -> None:
    user_id = f"dining-{language}"
    async with palimpsest.client() as client:
        for content in REMEMBERED[language]:
            await client.remember(content, user_id=user_id)
        await until_listed(client, user_id, REMEMBERED[language], Status.ACTIVE)

        async def first(query: str) -> list[str]:
            answer = await client.recall(
                query, user_id=user_id, records=[Record.MEMORY], preview=True
            )
            return [one.content for one in answer.results[:1]]

        async with asyncio.timeout(30):
            while await first(question) != [bounds]:
                await asyncio.sleep(0.1)
        assert await first(nonsense) == []
