"""Statistics of a user as they are at this moment, and access counters beside memories."""

from datetime import datetime

from palimpsest.api.resources import MemoryDetail, MemoryList, MemoryStatistics
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import importance_level
from palimpsest_server.stores.memories import RecordedRecall
from tests.support.services.console.routes.world import World


def recalled(recall_id: str, *memory_ids: str, at: datetime) -> RecordedRecall:
    return RecordedRecall(user_id="ann", recall_id=recall_id, memory_ids=memory_ids, at=at)


async def read(world: World, path: str, **parameters: str) -> bytes:
    async with world.http as http:
        answer = await http.get(path, params={"user_id": "ann", **parameters})
    assert answer.status_code == 200, answer.text
    return answer.content


async def test_a_new_user_has_statistics_at_once() -> None:
    world = World()
    nothing = MemoryStatistics.model_validate_json(await read(world, "/v1/stats"))
    assert (nothing.active, nothing.average_importance, nothing.accesses) == (0, 0.0, 0)
    await world.know(
        world.memory("tea", importance=0.9, kind=Kind.PREFERENCE),
        world.memory("oslo", Scope(user_id="ann", agent_id="poet"), importance=0.5),
        world.memory("gone", status=Status.FORGOTTEN),
        world.memory("bobs", Scope(user_id="bob")),
    )
    await world.namespaces.register([Scope(user_id="ann", agent_id="poet").namespace])
    await world.namespaces.register([Scope(user_id="ann").namespace])
    await world.memories.count([recalled("r1", "tea", "oslo", at=world.clock())])
    found = MemoryStatistics.model_validate_json(await read(world, "/v1/stats"))
    assert found.by_kind == {Kind.FACT: 1, Kind.PREFERENCE: 1}
    assert found.by_status == {Status.ACTIVE: 2, Status.FORGOTTEN: 1}
    assert (found.active, found.average_importance, found.accesses) == (2, 0.7, 2)
    assert sum(found.by_day.values()) == 3


async def test_erased_memories_are_not_counted_before_they_are_gone() -> None:
    world = World()
    await world.know(world.memory("tea"))
    world.writer.epochs["ann"] = 1
    assert MemoryStatistics.model_validate_json(await read(world, "/v1/stats")).active == 0


async def test_memories_come_with_how_often_and_when_they_were_recalled() -> None:
    world = World()
    await world.know(world.memory("tea"), world.memory("oslo"))
    for recall in ("r1", "r2"):
        await world.memories.count([recalled(recall, "tea", at=world.clock())])
    listed = MemoryList.model_validate_json(await read(world, "/v1/memories"))
    assert {one: counted.count for one, counted in listed.accesses.items()} == {
        "tea": 2,
        "oslo": 0,
    }
    detail = MemoryDetail.model_validate_json(await read(world, "/v1/memories/tea"))
    assert (detail.accesses.count, detail.accesses.last_at) == (2, world.clock())
    level = importance_level(detail.memory.importance)
    assert detail.importance_level == listed.importance_levels[detail.memory.id] == level
