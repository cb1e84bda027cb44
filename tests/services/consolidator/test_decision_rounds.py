"""What is decided together, and what waits for what came before it."""

from typing import Any

import pytest

from palimpsest.events.commands import CloseProject, ForgetMemory, SetTier, UndoChange
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import SharingPolicy, Tier
from services.consolidator.decision_rounds import split_into_rounds
from tests.support.clock import SettableClock
from tests.support.services.consolidator.events import envelope, remember, settle
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator


def said(user_id: str) -> Any:
    return remember("I like tea", user_id=user_id)


CLOSE = CloseProject(project_id="p", **envelope("close", "ann"))
UNDO = UndoChange(change_set_id="one", **envelope("undo", "ann"))
TIER = SetTier(tier=Tier.SEED, **envelope("tier", "ann"))
FORGET = ForgetMemory(memory_id="one", **envelope("forget", "ann"))


@pytest.mark.parametrize(
    ("events", "sizes"),
    [
        ([], []),
        ([said("ann"), said("ben"), FORGET, said("ann")], [4]),
        ([said("ben"), CLOSE, said("ann")], [3]),
        ([said("ann"), said("ben"), CLOSE, said("ann")], [2, 2]),
        ([TIER, said("ben")], [2]),
        ([said("ann"), TIER, said("ben"), said("ann"), said("ann")], [3, 2]),
        ([TIER, TIER, settle(user_id="ann"), said("ann")], [3, 1]),
        ([said("ann"), UNDO, said("ann")], [1, 1, 1]),
        ([UNDO, UNDO, TIER, said("ann")], [1, 2, 1]),
    ],
)
def test_a_batch_is_cut_where_an_event_needs_an_earlier_one_done(
    events: list[Any], sizes: list[int]
) -> None:
    found = split_into_rounds(events)
    assert [event for together in found for event in together] == events
    assert [len(together) for together in found] == sizes


async def test_a_project_is_closed_with_all_that_was_said_before_in_the_same_batch(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(remember("first", agent_id="coach", project_id="p"))
    last = remember("second", agent_id="coach", project_id="p")
    later = remember("third", agent_id="coach", project_id="p")
    close = CloseProject(project_id="p", **envelope("close", "alice"))
    await consolidator.handle(last, close, later)
    memories = await stores.listed(Scope(user_id="alice", agent_id="coach", project_id="p"))
    assert {memory.content: memory.status for memory in memories} == {
        "first": Status.ARCHIVED,
        "second": Status.ARCHIVED,
        "third": Status.ACTIVE,
    }


async def test_what_was_settled_holds_for_what_comes_next_in_the_same_batch(
    consolidator: Consolidator, stores: Stores
) -> None:
    general = settle(sharing_policy=SharingPolicy.USER_LEVEL)
    await consolidator.handle(general, remember("I like rain", agent_id="coach"))
    assert [memory.content for memory in await stores.listed(Scope(user_id="alice"))] == [
        "I like rain"
    ]


async def test_a_batch_that_comes_again_changes_nothing(
    stores: Stores, clock: SettableClock
) -> None:
    close = CloseProject(project_id="p", **envelope("close", "alice"))
    batch = (
        remember("first", agent_id="coach", project_id="p"),
        close,
        settle(sharing_policy=SharingPolicy.USER_LEVEL),
        remember("second", agent_id="coach"),
    )
    await Consolidator(stores, clock).handle(*batch)
    before = await stores.state("alice")
    await Consolidator(stores, clock).handle(*batch)
    assert await stores.state("alice") == before
