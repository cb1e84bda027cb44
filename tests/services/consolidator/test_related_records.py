from typing import Any

from palimpsest.events.commands import EditMemory
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.envelope import Event
from palimpsest.model.memory import Status
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation.overlay import Overlay
from services.consolidator.completion_reports import CompletionReports
from services.consolidator.entity_lookup import EntityLookup
from services.consolidator.related_records import RelatedRecordReader
from services.consolidator.todo_reminders import TodoLookup
from tests.support.server.domain.consolidation.samples import ALICE, day
from tests.support.services.consolidator.events import RECEIVED, envelope, remember, remembered_id
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator


def likes(value: str, on: int, **fields: Any) -> RememberRequested:
    return remember(
        f"I like {value} since day {on}",
        attribute="likes",
        value=value,
        occurred_at=day(on),
        **fields,
    )


def edit(memory_id: str, value: str) -> EditMemory:
    return EditMemory(
        memory_id=memory_id,
        edits=MemoryEdits(value=value),
        **envelope(f"edit {memory_id} to {value}", "alice"),
    )


async def gathered(stores: Stores, *events: Event) -> Overlay:
    gathering = RelatedRecordReader(
        stores.memories,
        stores.namespaces,
        TodoLookup(stores.todos),
        stores.summaries,
        EntityLookup(stores.entities),
        stores.profiles,
        CompletionReports(stores.completions, stores.todos, clock=lambda: RECEIVED),
    )
    return await gathering.related(events, {"alice": UserSettings()}, {"alice": 0})


async def test_of_all_that_somebody_likes_only_the_same_is_read(
    consolidator: Consolidator, stores: Stores
) -> None:
    told = [likes(value, on) for on, value in enumerate(("tea", "mate", "cocoa", "milk"))]
    replaced = likes("chai", 5, data={"replaces": "tea"})
    await consolidator.handle(*told, replaced)
    known = await gathered(stores, likes("Tea", 6))
    assert {memory.value for memory in known.everything()} == {"tea", "chai"}
    assert (await gathered(stores, likes("water", 6))).everything() == []


async def test_beside_what_may_give_values_to_others_all_is_read(
    consolidator: Consolidator, stores: Stores
) -> None:
    tea, mate = likes("tea", 1), likes("mate", 2)
    await consolidator.handle(tea, mate, likes("cocoa", 3))
    changed = edit(remembered_id(tea), "rooibos")
    known = await gathered(stores, changed, likes("rooibos", 4))
    assert {memory.value for memory in known.everything()} == {"tea", "mate", "cocoa"}


async def test_a_value_set_right_is_the_same_as_what_is_said_with_it(
    consolidator: Consolidator, stores: Stores
) -> None:
    tea, again, later = likes("tea", 1), likes("rooibos", 4), likes("rooibos", 5)
    await consolidator.handle(tea)
    await consolidator.handle(edit(remembered_id(tea), "rooibos"), again)
    await consolidator.handle(later)
    (memory,) = [one for one in await stores.listed(ALICE) if one.status is Status.ACTIVE]
    assert (memory.id, memory.value) == (remembered_id(tea), "rooibos")
    assert len(memory.evidence) == 3
