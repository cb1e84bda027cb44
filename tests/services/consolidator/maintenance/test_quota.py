"""Additions where a tier sets a limit: room is made in the change set that adds."""

from datetime import timedelta
from typing import Any

import pytest

from palimpsest.events.commands import ConfirmMemory, PinMemory, RestoreMemory, SetTier, UndoChange
from palimpsest.events.maintenance import build_daily_maintenance
from palimpsest.model.change_set import change_set_id
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest.model.user import ReviewPolicy, SharingPolicy, Tier
from palimpsest_server.domain import quotas
from palimpsest_server.domain.quotas import OVER_QUOTA_REASON
from services.consolidator.maintenance import quota_enforcement
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE, candidate
from tests.support.services.consolidator.events import (
    accessed,
    envelope,
    forget,
    proposed,
    remember,
    remembered_id,
    settle,
)
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

LIMIT = 3


@pytest.fixture(autouse=True)
def _three_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        quota_enforcement, "ACTIVE_MEMORY_LIMITS", {**quotas.ACTIVE_MEMORY_LIMITS, Tier.SEED: LIMIT}
    )


@pytest.fixture
def consolidator(stores: Stores, clock: SettableClock) -> Consolidator:
    return Consolidator(stores, clock, tier=Tier.SEED)


def said(content: str, clock: SettableClock, **fields: Any) -> Any:
    return remember(content, occurred_at=clock(), received_at=clock(), **fields)


async def active(stores: Stores, scope: Scope = ALICE) -> set[str]:
    listed = await stores.listed(scope)
    return {memory.content for memory in listed if memory.status is Status.ACTIVE}


async def archived(stores: Stores) -> list[Memory]:
    return [memory for memory in await stores.listed(ALICE) if memory.status is Status.ARCHIVED]


async def test_the_least_worth_goes_in_the_change_set_that_adds(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    for number, importance in enumerate((0.9, 0.5, 0.7)):
        await consolidator.handle(said(f"fact {number}", clock, importance=importance))
    await consolidator.handle(said("new", clock, importance=0.1))
    assert await active(stores) == {"fact 0", "fact 2", "new"}
    (gone,) = await archived(stores)
    assert (gone.content, gone.status_reason) == ("fact 1", OVER_QUOTA_REASON)
    last = stores.published.announced[-1]
    assert {change.after.content for change in last.memory_changes} == {"new", "fact 1"}
    assert consolidator.counted("decisions_total", outcome="over quota") == 1


async def test_accesses_count_before_age(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    events = [said(f"fact {number}", clock) for number in range(3)]
    await consolidator.handle(*events)
    await consolidator.handle(
        accessed("r1", remembered_id(events[0])), accessed("r2", remembered_id(events[2]))
    )
    await consolidator.handle(said("new", clock))
    assert await active(stores) == {"fact 0", "fact 2", "new"}


async def test_one_batch_never_goes_over_and_never_falls_short(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(*(said(f"fact {number}", clock) for number in range(5)))
    assert len(await active(stores)) == LIMIT
    together = [candidate(f"idea {number}", kind=Kind.FACT) for number in range(7)]
    await consolidator.handle(proposed(*together))
    assert len(await active(stores)) == LIMIT
    assert all(content.startswith("idea") for content in await active(stores))


async def test_what_takes_anothers_place_pushes_nobody_out(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        said("fact 1", clock),
        said("fact 2", clock),
        said("I live in Paris", clock, attribute="city", value="Paris"),
    )
    clock.advance(timedelta(days=1))
    await consolidator.handle(said("I live in Rome", clock, attribute="city", value="Rome"))
    assert await active(stores) == {"fact 1", "fact 2", "I live in Rome"}
    assert await archived(stores) == []


async def test_what_may_be_forgotten_goes_first(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        said("for today", clock, kind=Kind.CONTEXT, importance=1.0),
        said("fact 1", clock, importance=0.2),
        said("fact 2", clock),
    )
    clock.advance(timedelta(days=8))
    await consolidator.handle(said("new", clock))
    assert await active(stores) == {"fact 1", "fact 2", "new"}
    assert await archived(stores) == []


@pytest.mark.parametrize("how", ["restored", "confirmed", "undone"])
async def test_what_comes_back_counts_as_added(
    how: str, consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    back: Any
    if how == "confirmed":
        waiting = proposed(candidate("lost", kind=Kind.FACT), received_at=clock())
        await consolidator.handle(settle(review=ReviewPolicy.ALL), waiting)
        (memory,) = await stores.listed(ALICE)
        back = ConfirmMemory(memory_id=memory.id, **envelope("back", "alice"))
    else:
        lost = said("lost", clock, importance=0.2)
        await consolidator.handle(lost)
        await consolidator.handle(forget(remembered_id(lost)))
        back = (
            RestoreMemory(memory_id=remembered_id(lost), **envelope("back", "alice"))
            if how == "restored"
            else UndoChange(
                change_set_id=change_set_id("alice", "forget"), **envelope("back", "alice")
            )
        )
    for number, importance in enumerate((0.9, 0.5, 0.7)):
        await consolidator.handle(said(f"fact {number}", clock, importance=importance))
    await consolidator.handle(back)
    assert await active(stores) == {"fact 0", "fact 2", "lost"}
    (gone,) = await archived(stores)
    assert (gone.content, gone.status_reason) == ("fact 1", OVER_QUOTA_REASON)


async def test_where_all_are_pinned_the_new_one_has_no_room(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    events = [said(f"fact {number}", clock) for number in range(3)]
    await consolidator.handle(*events)
    await consolidator.handle(
        *(
            PinMemory(memory_id=remembered_id(event), **envelope(f"pin {number}", "alice"))
            for number, event in enumerate(events)
        )
    )
    await consolidator.handle(said("new", clock, importance=1.0))
    assert await active(stores) == {"fact 0", "fact 1", "fact 2"}
    (gone,) = await archived(stores)
    assert (gone.content, gone.status_reason) == ("new", OVER_QUOTA_REASON)


async def test_each_user_and_agent_has_room_of_its_own(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    for agent in (None, "coach"):
        await consolidator.handle(
            *(said(f"{agent} {number}", clock, agent_id=agent) for number in range(LIMIT))
        )
    assert await archived(stores) == []
    assert len(await active(stores)) == LIMIT


async def test_after_a_lower_tier_maintenance_brings_it_down(
    stores: Stores, clock: SettableClock
) -> None:
    unlimited = Consolidator(stores, clock)
    await unlimited.handle(*(said(f"fact {number}", clock) for number in range(6)))
    assert len(await active(stores)) == 6
    limited = Consolidator(stores, clock, tier=Tier.SEED)
    namespace = Namespace(user_id="alice")
    await limited.handle(build_daily_maintenance(namespace, clock().date(), now=clock(), epoch=0))
    assert len(await active(stores)) == LIMIT


async def test_a_lower_tier_holds_for_what_comes_next_in_the_same_batch(
    stores: Stores, clock: SettableClock
) -> None:
    unlimited = Consolidator(stores, clock)
    await unlimited.handle(*(said(f"fact {number}", clock) for number in range(LIMIT)))
    lower = SetTier(tier=Tier.SEED, **envelope("tier", "alice"))
    await unlimited.handle(lower, said("one more", clock), said("and one", clock))
    assert len(await active(stores)) == LIMIT
    higher = UndoChange(change_set_id=change_set_id("alice", "tier"), **envelope("undo", "alice"))
    await unlimited.handle(said("within", clock), higher, said("no limit", clock))
    assert len(await active(stores)) == LIMIT + 1


async def test_where_things_go_from_now_on_there_must_be_room(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(*(said(f"fact {number}", clock) for number in range(LIMIT)))
    general = settle(sharing_policy=SharingPolicy.USER_LEVEL)
    await consolidator.handle(general, said("to the user layer", clock, agent_id="coach"))
    found = await active(stores)
    assert len(found) == LIMIT
    assert "to the user layer" in found


async def test_no_change_set_grows_past_what_fits_after_a_lower_tier(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    heavy = {"steps": ["x" * 1000] * 15}
    await Consolidator(stores, clock).handle(
        *(said(f"fact {number}", clock, data=heavy) for number in range(9))
    )
    monkeypatch.setattr(quota_enforcement, "MAXIMUM_CHANGE_BYTES", 100_000)
    limited = Consolidator(stores, clock, tier=Tier.SEED)
    counts = []
    for number in range(4):
        await limited.handle(said(f"later {number}", clock))
        counts.append(len(await active(stores)))
        assert len(stores.published.announced[-1].model_dump_json()) < 105_000
    assert counts[0] > LIMIT
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == LIMIT


async def test_without_a_limit_nothing_is_counted(stores: Stores, clock: SettableClock) -> None:
    class Uncounted:
        def __getattr__(self, name: str) -> Any:
            assert name not in {"count_active", "active"}
            return getattr(stores.memories, name)

    seen = Consolidator(_With(stores, Uncounted()), clock)
    await seen.handle(said("fact", clock))
    assert await active(stores) == {"fact"}


class _With:
    def __init__(self, stores: Stores, memories: Any) -> None:
        self._stores = stores
        self.memories = memories

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stores, name)
