"""What a memory rests on is hidden while it is forgotten by hand, and what goes at once."""

from palimpsest.events.commands import ForgetTopic, PurgeForgotten, PurgeMemory, RestoreMemory
from palimpsest.model.memory import MemoryAtVersion, memory_id
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import summary_id
from palimpsest.model.turn import turn_id
from tests.support.server.domain.consolidation.samples import candidate
from tests.support.services.consolidator.edits import edit, undo
from tests.support.services.consolidator.events import envelope, forget, proposed
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.user_states import state
from tests.support.services.consolidator.world import Consolidator

ALICE = Scope(user_id="alice")
PEANUTS = candidate("I am allergic to peanuts", on=1)
ALLERGY = memory_id("alice", PEANUTS.id)
MESSAGE = turn_id("alice", "s", "m1")


async def hidden(stores: Stores) -> set[str]:
    return {*(await state(stores)).withheld}


def restore() -> RestoreMemory:
    return RestoreMemory(memory_id=ALLERGY, **envelope("restore", "alice"))


async def test_what_is_forgotten_is_hidden_until_it_is_restored(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(PEANUTS))
    assert await hidden(stores) == set()
    await consolidator.handle(forget(ALLERGY))
    assert await hidden(stores) == {MESSAGE}
    await consolidator.handle(restore())
    assert await hidden(stores) == set()


async def test_forgetting_it_is_undone_and_so_is_restoring_it(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(PEANUTS), forget(ALLERGY))
    await consolidator.handle(undo("forget"))
    assert await hidden(stores) == set()
    await consolidator.handle(forget(ALLERGY, "again"), restore())
    await consolidator.handle(undo("restore"))
    assert await hidden(stores) == {MESSAGE}


async def test_a_message_is_hidden_as_long_as_anything_of_it_is_forgotten(
    stores: Stores, consolidator: Consolidator
) -> None:
    nuts = candidate("I carry a pen", on=1)
    await consolidator.handle(proposed(PEANUTS, nuts))
    await consolidator.handle(forget(ALLERGY), forget(memory_id("alice", nuts.id), "pen"))
    await consolidator.handle(restore())
    assert await hidden(stores) == {MESSAGE}


async def test_it_does_not_come_back_with_what_was_forgotten_for_long_and_is_purged(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(PEANUTS), forget(ALLERGY))
    (memory,) = await stores.memories.by_ids([ALICE], [ALLERGY])
    long_forgotten = MemoryAtVersion(memory_id=ALLERGY, version=memory.version)
    await consolidator.handle(
        PurgeForgotten(memories=(long_forgotten,), **envelope("purge", "alice"))
    )
    assert await hidden(stores) == {MESSAGE}


async def test_what_is_erased_is_hidden_until_whoever_keeps_it_has_obeyed(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(PEANUTS))
    await consolidator.handle(
        ForgetTopic(turn_ids=(MESSAGE,), summary_ids=("sum",), **envelope("topic", "alice"))
    )
    found = await state(stores)
    assert found.is_going(MESSAGE, ALICE)
    assert found.is_going("sum", ALICE)
    assert not found.is_going(turn_id("alice", "s", "m2"), ALICE)
    (decided,) = await stores.erasures.waiting("ingest")
    assert found.is_told_anew(decided.revision - 1)
    assert not found.is_told_anew(decided.revision)
    for stage in ("ingest", "consolidator"):
        await stores.erasures.mark_completed(decided.id, stage)
    assert not (await state(stores)).is_going(MESSAGE, ALICE)


async def test_with_a_purged_memory_goes_what_it_rests_on(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(PEANUTS))
    await consolidator.handle(PurgeMemory(memory_id=ALLERGY, **envelope("purge", "alice")))
    assert (await state(stores)).is_going(MESSAGE, ALICE)
    assert (await state(stores)).is_going(summary_id("alice", "s"), ALICE)
    (decided,) = await stores.erasures.waiting("ingest")
    assert decided.erasure.turn_ids == (MESSAGE,)
    assert decided.erasure.summary_ids == (summary_id("alice", "s"),)


async def test_so_does_what_it_rested_on_before_it_was_set_right(
    stores: Stores, consolidator: Consolidator
) -> None:
    text = "I am allergic to nuts"
    await consolidator.handle(proposed(PEANUTS))
    await consolidator.handle(edit(ALLERGY, text, content=text))
    await consolidator.handle(PurgeMemory(memory_id=ALLERGY, **envelope("purge", "alice")))
    assert (await state(stores)).is_going(MESSAGE, ALICE)
    assert (await state(stores)).is_going(summary_id("alice", "s"), ALICE)
