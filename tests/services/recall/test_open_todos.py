"""What is still to be done is told whatever it is about; what is done is not."""

from datetime import timedelta

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo, TodoState
from tests.support.services.recall.world import NOW, World

COACH = Scope(user_id="ada", agent_id="coach")
QUESTIONS = ("is there anything I still have to do?", "我还有哪些事没办", "我的待办有哪些")


async def to_do(
    world: World, content: str, days: int | None, *, done: bool = False, scope: Scope | None = None
) -> None:
    memory = await world.remembered(
        content,
        scope,
        kind=Kind.ACTION_ITEM,
        status=Status.ARCHIVED if done else Status.ACTIVE,
        projected=True,
    )
    todo = Todo(
        id=memory.id,
        scope=memory.scope,
        content=content,
        due_at=None if days is None else NOW + timedelta(days=days),
        state=TodoState.DONE if done else TodoState.OPEN,
        created_at=NOW - timedelta(days=1),
        epoch=0,
    )
    await world.todos.write([todo])


@pytest.mark.parametrize("question", QUESTIONS)
async def test_what_is_due_soonest_is_first_and_what_is_done_is_not_told(
    world: World, question: str
) -> None:
    await to_do(world, "Renew the passport", None)
    await to_do(world, "取暖费要交", 9)
    await to_do(world, "Ring the boiler man", 1)
    await to_do(world, "Is there anything I still have to do: the tax return", 2, done=True)
    await world.said("还有哪些事没办，我想想")
    answer = await world.recall(question)
    assert [result.content for result in answer.results] == [
        "Ring the boiler man",
        "取暖费要交",
        "Renew the passport",
    ]
    assert not answer.gated


async def test_what_is_left_to_do_by_a_day_is_what_is_due_by_then(world: World) -> None:
    await to_do(world, "Ring the boiler man", 0)
    await to_do(world, "Pay the rent", 30)
    await to_do(world, "Renew the passport", None)
    assert await world.recalled("What do I still have to do today?") == ["Ring the boiler man"]
    assert await world.recalled("我今天还有什么事没做？") == ["Ring the boiler man"]


async def test_only_what_is_in_sight_is_told(world: World) -> None:
    await to_do(world, "Stretch", 1, scope=COACH)
    await to_do(world, "Pay the rent", 2)
    assert await world.recalled("What are my todos?") == ["Pay the rent"]
    assert await world.recalled("What are my todos?", agent_id="coach") == [
        "Stretch",
        "Pay the rent",
    ]
    assert await world.recalled("What are my todos?", agent_id="coach", limit=1) == ["Stretch"]


async def test_where_nothing_is_open_it_is_a_question_like_any_other(world: World) -> None:
    await to_do(world, "Pay the rent", 2, done=True)
    assert await world.recalled("What are my todos?") == []


async def test_who_asks_for_other_kinds_gets_none(world: World) -> None:
    await to_do(world, "Pay the rent", 2)
    assert await world.recalled("What are my todos?", kinds=["fact"]) == []
    assert await world.recalled("What are my todos?", memory_ids=["another"]) == []
