"""What a user's recalls return most is read once; no copy is shown that is not the latest."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.change_set import Cause, ChangeSet, MemoryChange
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.extract_features import extract_memory_features
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.memories import RecordedRecall
from services.recall.hot_set import FILLED_AFTER, READ_AGAIN_AFTER, HotSet
from tests.support.clock import SettableClock
from tests.support.services.recall.world import NOW, World
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.turns import InMemoryTurns

ADA = Scope(user_id="ada")


class Counted(InMemoryMemories):
    """Says which documents were read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    async def by_ids(self, scopes: Any, ids: Any) -> list[Memory]:
        self.read += ids
        return await super().by_ids(scopes, ids)


@pytest.fixture
def memories() -> Counted:
    return Counted()


@pytest.fixture
def world(memories: Counted, clock: Clock) -> World:
    return World(memories, InMemoryTurns(), InMemoryVectorStore(HashingEmbedder.model), clock)


async def kept(world: World, *recalled: Memory) -> None:
    """These were recalled before, and one question has had them kept."""
    ids = tuple(memory.id for memory in recalled)
    await world.memories.count(
        [RecordedRecall(user_id="ada", recall_id="before", memory_ids=ids, at=NOW)]
    )
    await world.recall(recalled[0].content)
    await world.hot.settled()


def announced(*changes: Any, user_id: str = "ada") -> ChangeSetAnnounced:
    change_set = ChangeSet(
        id="c",
        user_id=user_id,
        revision=1,
        epoch=0,
        cause=Cause(event_id="e", type="EditMemory", occurred_at=NOW, received_at=NOW),
        actor="user",
        reason="",
        decided_at=NOW,
        changes=changes,
    )
    return ChangeSetAnnounced(
        event_id="a", occurred_at=NOW, received_at=NOW, user_id=user_id, change_set=change_set
    )


async def changed(world: World, before: Memory, **fields: Any) -> MemoryChange:
    """Applied and projected; not announced yet."""
    after = before.model_copy(update={"version": before.version + 1, **fields})
    change = MemoryChange(before=before, after=after)
    await world.memories.apply([change])
    await world.project(
        after.id,
        RecordType.MEMORY,
        after.scope,
        after.content,
        kind=after.kind,
        features=extract_memory_features(after),
        status=after.status,
        version=after.version,
    )
    return change


async def test_what_is_recalled_most_is_read_once(world: World, memories: Counted) -> None:
    tea = await world.remembered("Ada drinks oolong tea")
    await kept(world, tea)
    memories.read.clear()
    for policy in ("default", "layered", "blended"):
        assert await world.recalled("oolong tea", policy=policy) == [tea.content]
    assert memories.read in ([], [tea.id])  # `blended` asks when each was recalled.


async def test_what_is_not_among_them_is_read_as_ever(world: World, memories: Counted) -> None:
    tea, jar = (
        await world.remembered("Ada drinks oolong tea"),
        await world.remembered("the tea jar"),
    )
    await kept(world, tea)
    memories.read.clear()
    assert {*await world.recalled("tea")} == {tea.content, jar.content}
    assert memories.read == [jar.id]


async def test_a_change_is_shown_at_once_though_nobody_has_announced_it(world: World) -> None:
    tea = await world.remembered("Ada drinks oolong tea")
    await kept(world, tea)
    change = await changed(world, tea, content="Ada drinks oolong tea and jasmine tea")
    assert await world.recalled("oolong tea") == [change.after.content]


async def test_what_was_announced_is_kept_as_it_is_now(world: World, memories: Counted) -> None:
    tea = await world.remembered("Ada drinks oolong tea")
    await kept(world, tea)
    change = await changed(world, tea, content="Ada drinks oolong tea and jasmine tea")
    await world.hot.on_change(announced(change))
    memories.read.clear()
    assert await world.recalled("oolong tea") == [change.after.content]
    assert memories.read == []


@pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.ARCHIVED, Status.SUPERSEDED])
async def test_what_holds_no_longer_is_not_shown(world: World, status: Status) -> None:
    tea = await world.remembered("Ada drinks oolong tea")
    await kept(world, tea)
    await world.hot.on_change(announced(await changed(world, tea, status=status)))
    assert await world.recalled("oolong tea") == []


async def test_of_whoever_had_everything_erased_nothing_is_shown(world: World) -> None:
    tea = await world.remembered("Ada drinks oolong tea")
    await kept(world, tea)
    world.states.erase("ada", epoch=1)
    assert await world.recalled("oolong tea") == []


async def test_others_see_none_of_it(world: World) -> None:
    own = await world.remembered("Ada drinks oolong tea")
    agents = await world.remembered(
        "oolong tea, the agent says", Scope(user_id="ada", agent_id="a")
    )
    await kept(world, own, agents)
    assert await world.recalled("oolong tea") == [own.content]
    assert await world.recalled("oolong tea", user_id="bob") == []


class Slow(Counted):
    """Reads what is recalled most only once it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may = asyncio.Event()

    async def most_accessed(self, user_id: str, *, limit: int) -> list[str]:
        ids = await super().most_accessed(user_id, limit=limit)
        await self.may.wait()
        return ids


async def test_nobody_waits_for_it_and_what_changed_meanwhile_is_read_again(
    clock: Clock,
) -> None:
    memories = Slow()
    world = World(memories, InMemoryTurns(), InMemoryVectorStore(HashingEmbedder.model), clock)
    tea = await world.remembered("Ada drinks oolong tea")
    access = RecordedRecall(user_id="ada", recall_id="before", memory_ids=(tea.id,), at=NOW)
    await memories.count([access])
    assert await world.recalled("oolong tea") == [tea.content]
    await world.hot.on_change(announced())
    memories.may.set()
    await world.hot.settled()
    assert world.hot.of((ADA,), {tea.id: 1}, epoch=0) == {}
    await world.hot.settled()
    assert world.hot.of((ADA,), {tea.id: 1}, epoch=0) == {tea.id: tea}


async def test_it_is_bounded_and_read_again_after_an_hour(
    world: World, clock: SettableClock
) -> None:
    tea = await world.remembered("Ada drinks oolong tea")
    looks: list[tuple[int, int]] = []
    hot = HotSet(
        world.memories,
        clock=clock,
        looked_up=lambda hits, misses: looks.append((hits, misses)),
        most_readers=1,
    )
    access = RecordedRecall(user_id="ada", recall_id="before", memory_ids=(tea.id,), at=NOW)
    await world.memories.count([access])

    async def look(scope: Scope = ADA) -> dict[str, Memory]:
        found = hot.of((scope,), {tea.id: 1}, epoch=0)
        await hot.settled()
        return found

    assert [await look(), await look()] == [{}, {tea.id: tea}]
    assert looks == [(0, 1), (1, 0)]
    await look(Scope(user_id="bob"))
    assert [await look(), await look()] == [{}, {tea.id: tea}]
    clock.now += READ_AGAIN_AFTER + timedelta(seconds=1)
    coffee = await world.remembered("Ada drinks coffee")
    await world.memories.count(
        [RecordedRecall(user_id="ada", recall_id="since", memory_ids=(coffee.id,), at=NOW)]
    )
    await look()
    assert hot.of((ADA,), {coffee.id: 1}, epoch=0) == {coffee.id: coffee}


async def test_a_set_that_is_not_full_is_read_again_within_a_minute(
    world: World, clock: SettableClock
) -> None:
    tea = await world.remembered("Ada drinks tea")
    hot = HotSet(world.memories, clock=clock)
    hot.of((ADA,), {tea.id: 1}, epoch=0)
    await hot.settled()
    await world.memories.count(
        [RecordedRecall(user_id="ada", recall_id="first", memory_ids=(tea.id,), at=NOW)]
    )
    clock.now += FILLED_AFTER + timedelta(seconds=1)
    hot.of((ADA,), {tea.id: 1}, epoch=0)
    await hot.settled()
    assert hot.of((ADA,), {tea.id: 1}, epoch=0) == {tea.id: tea}
