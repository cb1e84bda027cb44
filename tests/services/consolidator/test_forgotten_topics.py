"""Whoever asks in a conversation to forget all on a topic has the memories on it forgotten, and no others."""

from palimpsest.events.commands import ForgetMemory
from palimpsest.model.memory import Candidate, Status, memory_id
from palimpsest.model.scope import Scope
from tests.support.server.domain.consolidation.samples import candidate, day
from tests.support.services.consolidator.events import proposed, stored
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

ALICE = Scope(user_id="alice")
THERAPIST = candidate("The user sees a therapist on Fridays", on=1)
PIZZA = candidate("The user likes pizza", on=2)
ASKED = stored("Please forget everything about my therapy.", message_id="m9", at=day(5))


async def status(stores: Stores, one: Candidate) -> Status:
    (memory,) = await stores.memories.by_ids([ALICE], [memory_id("alice", one.id)])
    return memory.status


async def obey(stores: Stores, consolidator: Consolidator) -> int:
    commands = [memory for _, memory in stores.published.events if isinstance(memory, ForgetMemory)]
    await consolidator.handle(*commands)
    return len(commands)


async def test_memories_on_the_topic_are_forgotten_and_others_stay(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(THERAPIST, PIZZA))
    await consolidator.handle(ASKED)

    assert await obey(stores, consolidator) == 1
    assert await status(stores, THERAPIST) is Status.FORGOTTEN
    assert await status(stores, PIZZA) is Status.ACTIVE


async def test_what_is_told_after_the_request_is_remembered(
    stores: Stores, consolidator: Consolidator
) -> None:
    again = candidate("The user's therapy is over", on=9)
    await consolidator.handle(proposed(again))
    await consolidator.handle(ASKED)

    assert await obey(stores, consolidator) == 0
    assert await status(stores, again) is Status.ACTIVE


async def test_talk_of_forgetting_forgets_nothing(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(proposed(THERAPIST))
    await consolidator.handle(stored("I can't forget what I said about my therapy.", at=day(5)))
    assert await obey(stores, consolidator) == 0
