"""What a user wants to be asked about waits, and nothing follows from it before the yes."""

from palimpsest.events.commands import ConfirmMemory, RejectMemory, UndoChange
from palimpsest.model.change_set import change_set_id
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory, Status, memory_id
from palimpsest.model.scope import Scope
from palimpsest.model.user import ReviewPolicy
from tests.support.server.domain.consolidation.samples import candidate, lives_in
from tests.support.services.consolidator.events import envelope, lives, proposed, remember, settle
from tests.support.services.consolidator.events import remembered_id as id_of
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

ALICE = Scope(user_id="alice")
EVERYTHING = settle(review=ReviewPolicy.ALL)
CALL_MUM = candidate("Call mum", kind=Kind.ACTION_ITEM)


def own_id(said: Candidate) -> str:
    return memory_id("alice", said.id)


def confirm(memory: str) -> ConfirmMemory:
    return ConfirmMemory(memory_id=memory, **envelope(f"confirm {memory}", "alice"))


async def listed(stores: Stores, status: Status) -> list[Memory]:
    return await stores.memories.list([ALICE], statuses=[status])


async def test_it_is_kept_as_pending_and_makes_no_todo_until_it_is_confirmed(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(EVERYTHING, proposed(CALL_MUM))
    [memory] = await listed(stores, Status.PENDING)
    assert await stores.todos.list([ALICE]) == []
    # Its vectors are there, so that a yes needs nothing but the yes.
    assert stores.vectors.points[memory.id].version == 1
    await consolidator.handle(confirm(memory.id))
    assert [memory.id for memory in await listed(stores, Status.ACTIVE)] == [memory.id]
    [todo] = await stores.todos.list([ALICE])
    assert todo.id == memory.id
    assert stores.vectors.points[memory.id].version == 2


async def test_a_settings_change_counts_from_the_next_event_on(
    stores: Stores, consolidator: Consolidator
) -> None:
    tea, rain, sun = (candidate(f"I like {each}") for each in ("tea", "rain", "sun"))
    await consolidator.handle(
        proposed(tea, event_id="w1"),
        settle(automatic_extraction=False),
        proposed(rain, event_id="w2"),
        settle("back", automatic_extraction=True),
        proposed(sun, event_id="w3"),
    )
    assert {memory.content for memory in await listed(stores, Status.ACTIVE)} == {
        "I like tea",
        "I like sun",
    }
    assert [memory.content for memory in await listed(stores, Status.PENDING)] == ["I like rain"]


async def test_what_a_user_states_as_a_memory_waits_for_nobody(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(EVERYTHING, remember("I like tea"))
    assert len(await listed(stores, Status.ACTIVE)) == 1


async def test_a_yes_takes_the_place_of_what_held_and_can_be_undone(
    stores: Stores, consolidator: Consolidator
) -> None:
    lisbon, porto = lives("Lisbon", on=1), lives_in("Porto", on=9)
    await consolidator.handle(lisbon, EVERYTHING)
    await consolidator.handle(proposed(porto))
    await consolidator.handle(confirm(own_id(porto)))
    [now] = await listed(stores, Status.ACTIVE)
    [past] = await listed(stores, Status.SUPERSEDED)
    assert (now.id, past.id) == (own_id(porto), id_of(lisbon))
    undone = change_set_id("alice", f"confirm {own_id(porto)}")
    await consolidator.handle(UndoChange(change_set_id=undone, **envelope("undo", "alice")))
    assert [memory.id for memory in await listed(stores, Status.PENDING)] == [own_id(porto)]
    assert [memory.id for memory in await listed(stores, Status.ACTIVE)] == [id_of(lisbon)]


async def test_what_came_true_meanwhile_is_not_remembered_twice(
    stores: Stores, consolidator: Consolidator
) -> None:
    tea = candidate("I like tea", kind=Kind.FACT)
    await consolidator.handle(EVERYTHING, proposed(tea))
    await consolidator.handle(remember("I like tea"))
    await consolidator.handle(confirm(own_id(tea)))
    [memory] = await listed(stores, Status.ACTIVE)
    assert len(memory.evidence) == 2
    assert [memory.id for memory in await listed(stores, Status.ARCHIVED)] == [own_id(tea)]


async def test_what_was_rejected_stays_so_whoever_says_it_again(
    stores: Stores, consolidator: Consolidator
) -> None:
    tea = candidate("I like tea")
    await consolidator.handle(EVERYTHING, proposed(tea))
    no = RejectMemory(memory_id=own_id(tea), reason="no", **envelope("no", "alice"))
    await consolidator.handle(no)
    await consolidator.handle(proposed(candidate("I like tea", on=5), event_id="later"))
    assert await listed(stores, Status.PENDING) == []
    assert await listed(stores, Status.ACTIVE) == []
    assert len(await listed(stores, Status.REJECTED)) == 1


async def test_on_a_withheld_topic_nothing_is_extracted_until_the_user_allows_it(
    consolidator: Consolidator, stores: Stores
) -> None:
    debts = candidate("The user is in debt", sensitive="finance")
    tea = candidate("The user likes tea")
    await consolidator.handle(settle(withheld_topics=["finance"]), proposed(debts, tea))
    assert [memory.content for memory in await stores.listed(ALICE)] == [tea.content]
    assert consolidator.counted(
        "decisions_total", outcome="on a topic that is not to be remembered"
    )
    await consolidator.handle(
        settle("allow", withheld_topics=[]), proposed(debts, event_id="again")
    )
    assert debts.content in {memory.content for memory in await stores.listed(ALICE)}
