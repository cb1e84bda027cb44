"""What was made of a message before its user asked that nothing be is forgotten, and told no more."""

from palimpsest.contracts.commands import ForgetMemory
from palimpsest.domain.memory import Candidate, Status, memory_id
from palimpsest.domain.scope import Scope
from palimpsest.domain.summaries.summary import summary_id
from palimpsest.domain.turn import turn_id
from tests.libs.domain.evolution.samples import candidate
from tests.services.consolidator.events import proposed, stored
from tests.services.consolidator.stores import Stores
from tests.services.consolidator.test_withholding import state
from tests.services.consolidator.world import Consolidator

ALICE = Scope(user_id="alice")
TWINS = candidate("I am having twins", on=1)
TEA = candidate("I like tea", on=2)
MESSAGE = turn_id("alice", "s", "m1")
UNSAID = stored(TWINS.content, message_id="m1")
UNSAID = UNSAID.model_copy(update={"turn": UNSAID.turn.model_copy(update={"withheld": True})})


async def status(stores: Stores, one: Candidate) -> Status:
    (memory,) = await stores.memories.by_ids([ALICE], [memory_id("alice", one.id)])
    return memory.status


async def obey(stores: Stores, consolidator: Consolidator) -> int:
    """Hand the commands in that it has sent itself; how many those were."""
    commands = [each for _, each in stores.published.events if isinstance(each, ForgetMemory)]
    await consolidator.handle(*commands)
    return len(commands)


async def test_it_is_forgotten_and_its_session_is_told_without_it(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(TWINS, TEA))
    await consolidator.handle(UNSAID)
    assert await obey(stores, consolidator) == 1

    assert await status(stores, TWINS) is Status.FORGOTTEN
    assert await status(stores, TEA) is Status.ACTIVE
    found = await state(stores)
    assert MESSAGE in found.not_told[summary_id("alice", "s")]


async def test_what_was_still_on_its_way_is_forgotten_when_it_comes(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(UNSAID)
    assert await obey(stores, consolidator) == 0
    await consolidator.handle(proposed(TWINS, TEA))
    assert await obey(stores, consolidator) == 1
    assert await status(stores, TWINS) is Status.FORGOTTEN


async def test_what_rests_on_another_message_too_stays(
    stores: Stores, consolidator: Consolidator
) -> None:
    again = candidate("I am having twins", on=3)
    await consolidator.handle(proposed(TWINS))
    await consolidator.handle(proposed(again, event_id="later"))
    await consolidator.handle(UNSAID)
    assert await obey(stores, consolidator) == 0
    assert await status(stores, TWINS) is Status.ACTIVE


async def test_a_message_as_it_was_said_forgets_nothing(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(TWINS))
    await consolidator.handle(stored(TWINS.content, message_id="m1"))
    assert await obey(stores, consolidator) == 0
    assert (await state(stores)).not_told == {}
