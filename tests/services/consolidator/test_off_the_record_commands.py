"""What was made of a message before its user asked that nothing be is forgotten, and told no more."""

from palimpsest.events.commands import RestoreMemory, WithdrawEvidence
from palimpsest.model.memory import Candidate, Status, memory_id
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import summary_id
from palimpsest.model.turn import turn_id
from tests.support.server.domain.consolidation.samples import candidate, day, lives_in
from tests.support.services.consolidator.edits import undo
from tests.support.services.consolidator.events import envelope, proposed, stored, withheld
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.user_states import state
from tests.support.services.consolidator.world import Consolidator

ALICE = Scope(user_id="alice")
TWINS = candidate("I am having twins", on=1)
TEA = candidate("I like tea", on=2)
MESSAGE = turn_id("alice", "s", "m1")
AGAIN = candidate("I am having twins", on=3)
UNSAID = withheld(TWINS.content, message_id="m1")


async def status(stores: Stores, one: Candidate) -> Status:
    (memory,) = await stores.memories.by_ids([ALICE], [memory_id("alice", one.id)])
    return memory.status


async def quoted(stores: Stores, one: Candidate) -> list[str | None]:
    """The messages that it rests on."""
    (memory,) = await stores.memories.by_ids([ALICE], [memory_id("alice", one.id)])
    return [evidence.message_id for evidence in memory.evidence]


async def obey(stores: Stores, consolidator: Consolidator) -> int:
    """Hand the commands in that it has sent itself; how many those were."""
    commands = [
        withdraw_evidence
        for _, withdraw_evidence in stores.published.events
        if isinstance(withdraw_evidence, WithdrawEvidence)
    ]
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


async def test_what_rests_on_another_message_too_stays_without_the_one_that_is_withheld(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(TWINS))
    await consolidator.handle(proposed(AGAIN, event_id="later"))
    await consolidator.handle(UNSAID)
    assert await obey(stores, consolidator) == 1
    assert await quoted(stores, TWINS) == ["m3"]
    assert await status(stores, TWINS) is Status.ACTIVE
    found = await state(stores)
    assert turn_id("alice", "s", "m3") not in found.withheld


async def test_what_was_withheld_is_taken_from_what_it_is_added_to_later(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(AGAIN))
    await consolidator.handle(UNSAID)
    for window in ("late", "later still"):
        await consolidator.handle(proposed(TWINS, event_id=window, received_at=day(len(window))))
        assert await quoted(stores, AGAIN) == ["m1", "m3"]
        await obey(stores, consolidator)
        assert await quoted(stores, AGAIN) == ["m3"]


async def test_who_takes_that_back_has_it_as_it_was(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(TWINS))
    await consolidator.handle(proposed(AGAIN, event_id="later"))
    await consolidator.handle(UNSAID)
    await obey(stores, consolidator)
    (unsaid,) = [
        withdraw_evidence
        for _, withdraw_evidence in stores.published.events
        if isinstance(withdraw_evidence, WithdrawEvidence)
    ]
    await consolidator.handle(undo(unsaid.event_id))
    await consolidator.handle(UNSAID)
    await obey(stores, consolidator)
    assert await quoted(stores, TWINS) == ["m1", "m3"]


async def test_what_was_restored_by_hand_stays(stores: Stores, consolidator: Consolidator) -> None:
    await consolidator.handle(proposed(TWINS))
    await consolidator.handle(UNSAID)
    await obey(stores, consolidator)
    restore = RestoreMemory(memory_id=memory_id("alice", TWINS.id), **envelope("back", "alice"))
    await consolidator.handle(restore)
    await consolidator.handle(UNSAID, proposed(TEA, event_id="later"))
    await obey(stores, consolidator)
    assert await status(stores, TWINS) is Status.ACTIVE


async def test_who_says_it_openly_meanwhile_has_it_remembered(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(TWINS))
    await consolidator.handle(UNSAID)
    await consolidator.handle(proposed(AGAIN, event_id="meanwhile"))
    await obey(stores, consolidator)
    assert await status(stores, TWINS) is Status.ACTIVE
    assert await quoted(stores, TWINS) == ["m3"]


async def test_what_was_known_for_long_is_found_too_and_what_has_ended(
    stores: Stores, consolidator: Consolidator
) -> None:
    oslo, known = lives_in("Oslo", on=1), candidate("I play the oboe", on=0)
    more = [candidate(f"I own {number} oboes", on=2) for number in range(2, 140)]
    await consolidator.handle(proposed(oslo, known, *more))
    said_again = candidate("I play the oboe", on=1)
    await consolidator.handle(proposed(lives_in("Rome", on=2), said_again, event_id="later"))
    await consolidator.handle(UNSAID)
    await obey(stores, consolidator)
    assert await status(stores, oslo) is Status.FORGOTTEN
    assert await quoted(stores, known) == ["m0"]


async def test_a_message_as_it_was_said_forgets_nothing(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(TWINS))
    await consolidator.handle(stored(TWINS.content, message_id="m1"))
    assert await obey(stores, consolidator) == 0
    assert (await state(stores)).not_told == {}
