"""What is asked for by its attribute comes first, whatever it shares with the question."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.extract_features import extract_memory_features
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.listed_scopes import ListedScopes
from tests.support.services.recall.stand_ins import shared_embedder
from tests.support.services.recall.world import World
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.turns import InMemoryTurns

COACH = Scope(user_id="ada", agent_id="coach")


class Counted(InMemoryMemories):
    """Says which documents were read by their ids, read for read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[list[str]] = []

    async def by_ids(self, scopes: ListedScopes, ids: Sequence[str]) -> list[Memory]:
        self.reads.append([*ids])
        return await super().by_ids(scopes, ids)


@pytest.fixture
def memories() -> Counted:
    return Counted()


@pytest.fixture
def world(memories: Counted, clock: Clock) -> World:
    return World(memories, InMemoryTurns(), InMemoryVectorStore(shared_embedder().model), clock)


def city(name: str, **others: object) -> dict[str, Any]:
    return {"subject": "user", "attribute": "city", "value": name, **others}


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("The user moved to Seattle", "Where do I live?"),
        ("The user moved to Seattle", "where does she live now"),
        ("用户搬到了杭州，离西湖走路十分钟", "我住在哪里？"),
        ("用户搬到了杭州，离西湖走路十分钟", "她现在住哪儿呢？"),
    ],
)
async def test_no_word_need_be_shared(world: World, content: str, question: str) -> None:
    memory = await world.remembered(content, **city("Seattle"))
    answer = await world.recall(question)
    assert [result.id for result in answer.results] == [memory.id]
    assert not answer.gated


async def test_it_stands_before_what_only_sounds_like_the_question(world: World) -> None:
    for number in range(1, 5):
        await world.said(f"Where do people live, number {number}?", sequence=number)
    memory = await world.remembered("The user moved to Seattle", **city("Seattle"))
    answer = await world.recall("Where do I live?", include=["explanation"])
    first = answer.results[0]
    assert first.id == memory.id
    assert first.parts is not None
    assert first.parts.asked > 0


async def test_what_holds_stands_before_what_is_over(world: World) -> None:
    over = await world.remembered("用户不再住在杭州", **city("杭州", ended=True))
    holds = await world.remembered("用户搬去了苏州", **city("苏州"))
    answer = await world.recall("我现在住在哪里？")
    assert [result.id for result in answer.results][:2] == [holds.id, over.id]


async def test_what_is_over_is_answered_where_nothing_holds(world: World) -> None:
    over = await world.remembered(
        "The user no longer lives in Seattle", **city("Seattle", ended=True)
    )
    assert [result.id for result in (await world.recall("Where do I live?")).results] == [over.id]


async def test_one_that_no_search_finds_is_answered_too(world: World) -> None:
    memory = await world.remembered(
        "The user moved to Seattle", found_as=Scope(user_id="bob"), **city("Seattle")
    )
    assert [result.id for result in (await world.recall("Where do I live?")).results] == [memory.id]


@pytest.mark.parametrize("policy", ["default", "layered", "blended", "companion"])
@pytest.mark.parametrize("was", [Status.SUPERSEDED, Status.FORGOTTEN])
async def test_so_is_one_that_was_restored_and_is_projected_as_it_was(
    world: World, was: Status, policy: str
) -> None:
    memory = await world.remembered("The user moved to Seattle", **city("Seattle"))
    await world.project(
        memory.id, RecordType.MEMORY, memory.scope, memory.content,
        kind=memory.kind, features=extract_memory_features(memory), status=was, version=2,
    )  # fmt: skip
    answer = await world.recall("Where do I live?", policy=policy)
    assert [result.id for result in answer.results] == [memory.id]


@pytest.mark.parametrize(
    "fields",
    [
        {"records": [RecordType.TURN]},
        {"kinds": ["preference"]},
        {"until": "2020-01-01T00:00:00Z"},
        {"as_of": "2020-01-01T00:00:00Z"},
        {"user_id": "bob"},
    ],
)
async def test_nothing_comes_that_was_not_to_be_shown(world: World, fields: dict[str, Any]) -> None:
    await world.remembered("The user moved to Seattle", **city("Seattle"))
    assert not (await world.recall("Where do I live?", **fields)).results


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.FORGOTTEN, Status.PENDING])
async def test_only_what_holds_is_asked_for(world: World, status: Status) -> None:
    await world.remembered("The user moved to Seattle", **city("Seattle", status=status))
    assert not (await world.recall("Where do I live?")).results


async def test_of_a_moment_what_held_then_is_asked_for(world: World) -> None:
    may, june = (datetime(2026, month, 1, tzinfo=UTC) for month in (5, 6))
    old = await world.remembered(
        "用户家住龙岗",
        **city("龙岗", status=Status.SUPERSEDED, valid_from=may, valid_until=june),
    )
    new = await world.remembered("用户搬到了西丽", **city("西丽", valid_from=june))
    then = await world.recall("我家住哪？", as_of="2026-05-20T00:00:00Z")
    now = await world.recall("我家住哪？")
    assert [answer.results[0].id for answer in (then, now)] == [old.id, new.id]
    assert all(result.id != new.id for result in then.results)


async def test_an_agents_memories_are_its_own(world: World) -> None:
    await world.remembered("The user moved to Seattle", COACH, **city("Seattle"))
    assert not (await world.recall("Where do I live?")).results
    assert (await world.recall("Where do I live?", agent_id="coach")).results


async def test_who_is_asked_about_by_name_is_told_of(world: World) -> None:
    await world.remembered("The user moved to Seattle", **city("Seattle"))
    tom = await world.remembered("Tom moved to Lyon", **city("Lyon", subject="Tom"))
    answer = await world.recall("Where does Tom live?")
    assert answer.results[0].id == tom.id


@pytest.mark.parametrize("policy", ["layered", "blended", "companion"])
async def test_the_gate_opens_for_it_under_every_policy(world: World, policy: str) -> None:
    memory = await world.remembered("The user moved to Seattle", **city("Seattle"))
    answer = await world.recall("Where do I live?", policy=policy)
    assert [result.id for result in answer.results] == [memory.id]


@pytest.mark.parametrize("policy", ["default", "layered", "companion"])
@pytest.mark.parametrize("question", ["Where do I live?", "我住在哪里？"])
async def test_it_is_not_read_a_second_time_to_be_shown(
    world: World, memories: Counted, question: str, policy: str
) -> None:
    memory = await world.remembered("The user moved to Seattle, 住在西雅图", **city("Seattle"))
    assert await world.recalled(question, policy=policy) == [memory.content]
    assert memories.reads == []


async def test_of_what_is_shown_with_it_only_the_others_are_read(
    world: World, memories: Counted
) -> None:
    asked = await world.remembered("The user moved to Seattle", **city("Seattle"))
    other = await world.remembered("Where people live in Seattle")
    assert await world.recalled("Where do I live?") == [asked.content, other.content]
    assert memories.reads == [[other.id]]


async def test_who_somebody_is_is_told_however_often_they_are_named(world: World) -> None:
    devin = [f"Devin {does}" for does in ("drums at night", "burnt the rice", "has a cold")]
    for content in (*devin, "The user's flatmate Devin is from Cork"):
        await world.remembered(content)
    for number in range(12):
        await world.remembered(f"The user saw film {number} at the cinema")
    answer = await world.recall("who is devin?")
    assert answer.results
    assert all("Devin" in result.content for result in answer.results)


async def test_nobody_is_told_of_whom_nothing_is_known(world: World) -> None:
    await world.remembered("The user's flatmate Devin is from Cork")
    assert not (await world.recall("who is Marlowe?")).results
