"""The policy `profile`: what was talked about last, or then."""

from datetime import timedelta

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest_server.models.token_counter import get_token_counter
from tests.support.services.recall.world import NOW, World

ADA = Scope(user_id="ada")


async def talked(
    world: World, text: str, *, days_ago: int, scope: Scope = ADA, epoch: int = 0
) -> SessionSummary:
    ended, session = NOW - timedelta(days=days_ago), f"s{days_ago}"
    return await world.summed_up(text, ended=ended, session=session, scope=scope, epoch=epoch)


async def twelve_talks(world: World) -> list[str]:
    texts = [f"Talk {days}: about the garden" for days in range(1, 13)]
    for days, text in enumerate(texts, start=1):
        await talked(world, text, days_ago=days)
    return texts


@pytest.mark.parametrize("query", ["what matters?", "今天聊点什么", "…"])
async def test_the_five_newest_come_first_whatever_is_asked(world: World, query: str) -> None:
    await world.remembered("Ada has a garden, what matters?")
    texts = await twelve_talks(world)
    answer = await world.recall(query, policy="profile")
    assert [result.content for result in answer.results] == texts[:5]
    assert {result.record for result in answer.results} == {RecordType.SUMMARY}
    assert not answer.gated


async def test_under_a_budget_at_most_ten_up_to_the_first_that_does_not_fit(world: World) -> None:
    texts = await twelve_talks(world)
    assert await world.recalled("so?", policy="profile", token_budget=4000) == texts[:10]
    seven = sum(map(get_token_counter(), texts[:7]))
    assert await world.recalled("so?", policy="profile", token_budget=seven + 1) == texts[:7]


async def test_as_many_as_are_asked_for(world: World) -> None:
    texts = await twelve_talks(world)
    assert await world.recalled("so?", policy="profile", limit=2) == texts[:2]
    assert await world.recalled("so?", policy="profile", limit=12) == texts


@pytest.mark.parametrize(
    "query",
    [
        "what did we say last time of the loaf of sourdough to bake?",
        "上次我们聊的 loaf of sourdough bake",
    ],
)
async def test_about_an_earlier_conversation_the_three_nearest(world: World, query: str) -> None:
    await twelve_talks(world)
    for days in (20, 30, 40, 50):
        await talked(world, f"A loaf of sourdough, bake {days}", days_ago=days)
    found = await world.recalled(query, policy="profile")
    assert len(found) == 3
    assert all("sourdough" in one for one in found)


async def test_where_none_is_near_the_three_latest_stand_for_it(world: World) -> None:
    texts = await twelve_talks(world)
    found = await world.recalled("what did we say about xyzzy last time?", policy="profile")
    assert set(found) <= set(texts)
    assert len(found) == 3


async def test_what_lies_outside_of_a_time_takes_no_place_of_what_lies_in_it(
    world: World,
) -> None:
    for hours in range(1, 121):
        ended = NOW - timedelta(hours=hours)
        await world.summed_up("Of late", ended=ended, session=f"late {hours}", found=False)
    await talked(world, "About the garden in January", days_ago=40)
    month_ago = (NOW - timedelta(days=30)).isoformat()
    for asked in (
        {"query": "so?", "policy": "profile", "until": month_ago},
        {"query": "so?", "policy": "profile", "as_of": month_ago},
        {"query": "What happened in January?", "policy": "profile"},
        {"query": "What did we say about xyzzy last time?", "until": month_ago},
    ):
        assert await world.recalled(**asked) == ["About the garden in January"]


async def test_who_asks_for_memories_of_a_kind_gets_no_summary(world: World) -> None:
    await twelve_talks(world)
    asked = "what did we say about the garden last time?"
    assert await world.recalled(asked) != []
    assert await world.recalled(asked, kinds=["fact"]) == []


async def test_only_what_may_be_seen_and_lies_in_the_time_asked_for(world: World) -> None:
    texts = await twelve_talks(world)
    await talked(world, "of another", days_ago=0, scope=Scope(user_id="bob"))
    await talked(world, "with the coach", days_ago=0, scope=Scope(user_id="ada", agent_id="coach"))
    week_ago = (NOW - timedelta(days=7)).isoformat()
    assert await world.recalled("so?", policy="profile", until=week_ago) == texts[7:12]
    assert "with the coach" in await world.recalled("so?", policy="profile", agent_id="coach")
    assert await world.recalled("so?", policy="profile", kinds=["fact"]) == []
    world.states.erase("ada", epoch=1)
    assert await world.recalled("so?", policy="profile") == []
    world.states.turn_memory_off("ada")
    assert await world.recalled("so?", policy="profile") == []


@pytest.mark.parametrize("policy", ["default", "profile"])
async def test_the_conversation_that_is_asked_about_comes_before_longer_ones_beside_it(
    world: World, policy: str
) -> None:
    beside = "They work in Shanghai, live near the river and take the metro to their desk every day"
    for hours, text in enumerate(("Changing work weighs on them", beside, "A cat eats little"), 1):
        await world.summed_up(text, ended=NOW - timedelta(hours=hours), session=f"s{hours}")
    answer = await world.recall("What did we say last time about changing work?", policy=policy)
    assert answer.results[0].content == "Changing work weighs on them"
