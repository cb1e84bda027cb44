"""Runs of maintenance as the one writer handles them, on real stores."""

from datetime import date, timedelta
from typing import Any

import pytest

from palimpsest.events.commands import CompleteTodo
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.maintenance import RunMaintenance, TurnsExpired, build_daily_maintenance
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest.model.user import ForgettingPolicy, ReviewPolicy
from palimpsest_server.domain.forgetting.unanswered_proposals import UNANSWERED
from services.consolidator.maintenance import maintenance_run
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE, candidate
from tests.support.services.consolidator.events import (
    accessed,
    envelope,
    proposed,
    remember,
    remembered_id,
    settle,
    stored,
)
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator

DAY = date(2026, 3, 2)
NAMESPACE = Namespace(user_id="alice")


def run(clock: SettableClock, day: date = DAY, **namespace: Any) -> RunMaintenance:
    of = Namespace(user_id="alice", **namespace)
    return build_daily_maintenance(of, day, now=clock(), epoch=0)


def recent(content: str, clock: SettableClock, **fields: Any) -> RememberRequested:
    moments = {"occurred_at": clock(), "received_at": clock()}
    return remember(content, **{**moments, **fields})


def nearby(event: RememberRequested) -> RememberRequested:
    """As if the model took it for the same as all others of these."""
    return event.model_copy(update={"vectors": (vectors_of("the same"),)})


async def listed(stores: Stores, scope: Scope = ALICE) -> dict[str, Memory]:
    return {memory.content: memory for memory in await stores.listed(scope)}


async def test_what_is_not_used_fades_and_is_forgotten_in_the_end(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        recent("I plan a trip", clock, kind=Kind.GOAL, importance=0.6),
        recent("I live here", clock, kind=Kind.FACT),
    )
    clock.advance(timedelta(days=75))
    await consolidator.handle(run(clock, date(2026, 5, 16)))
    faded = (await listed(stores))["I plan a trip"]
    assert (faded.status, faded.importance, faded.faded_at) == (Status.ACTIVE, 0.54, clock())

    clock.advance(timedelta(days=1))
    await consolidator.handle(run(clock, date(2026, 5, 17)))
    assert (await listed(stores))["I plan a trip"].importance == 0.54

    clock.advance(timedelta(days=100))
    await consolidator.handle(run(clock, date(2026, 8, 25)))
    memories = await listed(stores)
    assert memories["I plan a trip"].status is Status.FORGOTTEN
    assert "relevance" in (memories["I plan a trip"].status_reason or "")
    assert memories["I live here"].status is Status.ACTIVE
    assert consolidator.counted("decisions_total", outcome="faded") == 1
    assert stores.published.announced[-1].reason == "maintenance: 1 forgotten by policy"


async def test_a_recall_keeps_it(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    goal = recent("I plan a trip", clock, kind=Kind.GOAL, importance=0.6)
    await consolidator.handle(goal)
    clock.advance(timedelta(days=170))
    recall = accessed("r1", remembered_id(goal)).model_copy(update={"occurred_at": clock()})
    await consolidator.handle(recall)
    clock.advance(timedelta(days=20))
    await consolidator.handle(run(clock))
    assert (await listed(stores))["I plan a trip"].status is Status.ACTIVE


async def test_what_an_open_todo_hangs_on_waits_until_it_is_done(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    todo = recent("call the dentist", clock, kind=Kind.ACTION_ITEM, importance=0.1)
    await consolidator.handle(todo)
    clock.advance(timedelta(days=200))
    await consolidator.handle(run(clock))
    assert (await listed(stores))["call the dentist"].status is Status.ACTIVE
    await consolidator.handle(
        CompleteTodo(todo_id=remembered_id(todo), **envelope("done", "alice"))
    )
    await consolidator.handle(run(clock, DAY + timedelta(days=1)))
    assert (await listed(stores))["call the dentist"].status is not Status.ACTIVE


async def test_what_nobody_says_yes_to_is_given_up_within_a_week_of_its_time(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    opera = proposed(candidate("likes opera"), received_at=clock())
    await consolidator.handle(settle(review=ReviewPolicy.ALL), opera)
    (waiting,) = (await listed(stores)).values()
    assert waiting.status is Status.PENDING
    for days, status in ((85, Status.PENDING), (7, Status.ARCHIVED)):
        clock.advance(timedelta(days=days))
        week = [run(clock, clock().date() + timedelta(days=number)) for number in range(7)]
        await consolidator.handle(*week)
        assert (await listed(stores))["likes opera"].status is status
    assert (await listed(stores))["likes opera"].status_reason == UNANSWERED


async def test_a_run_is_done_once_whoever_sends_it_again(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(recent("be quick today", clock, kind=Kind.CONTEXT))
    clock.advance(timedelta(days=8))
    await consolidator.handle(run(clock), run(clock))
    again = await stores.state("alice")
    await Consolidator(stores, clock).handle(run(clock))
    assert await stores.state("alice") == again
    assert (await listed(stores))["be quick today"].status is Status.FORGOTTEN


async def test_the_policy_is_the_one_that_its_user_has_settled(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        settle(forgetting_policy=ForgettingPolicy.COMPANION),
        recent("I plan a trip", clock, kind=Kind.GOAL, importance=0.6),
        recent("I plan a nap", clock, kind=Kind.GOAL, importance=0.4),
    )
    clock.advance(timedelta(days=200))
    await consolidator.handle(run(clock))
    statuses = {content: memory.status for content, memory in (await listed(stores)).items()}
    assert statuses == {"I plan a trip": Status.ACTIVE, "I plan a nap": Status.FORGOTTEN}


async def test_a_run_reaches_one_namespace_alone(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        recent("for all", clock, kind=Kind.CONTEXT),
        recent("for the coach", clock, kind=Kind.CONTEXT, agent_id="coach"),
        recent("of bob", clock, kind=Kind.CONTEXT, user_id="bob"),
    )
    clock.advance(timedelta(days=8))
    await consolidator.handle(run(clock, agent_id="coach"))
    assert (await listed(stores))["for all"].status is Status.ACTIVE
    assert (await listed(stores, Scope(user_id="bob")))["of bob"].status is Status.ACTIVE
    coach = Scope(user_id="alice", agent_id="coach")
    assert (await listed(stores, coach))["for the coach"].status is Status.FORGOTTEN


async def test_memories_whose_vectors_are_near_and_whose_words_agree_become_one(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        nearby(recent("I drink green tea at work", clock, tags=("a",))),
        nearby(recent("I drink green tea at work, at the office", clock, tags=("b",))),
        nearby(recent("I don't drink green tea", clock)),
    )
    await consolidator.handle(run(clock))
    memories = await listed(stores)
    memory = memories["I drink green tea at work, at the office"]
    assert (memory.status, memory.tags, len(memory.evidence)) == (Status.ACTIVE, ("a", "b"), 2)
    assert memories["I drink green tea at work"].status is Status.ARCHIVED
    assert memories["I don't drink green tea"].status is Status.ACTIVE
    assert stores.published.announced[-1].reason == "maintenance: 1 merged"
    revision = stores.published.announced[-1].revision
    await consolidator.handle(run(clock, DAY + timedelta(days=1)))
    assert stores.published.announced[-1].changes == ()
    assert stores.published.announced[-1].revision == revision + 1


async def test_a_long_run_goes_on_in_parts(
    consolidator: Consolidator,
    stores: Stores,
    clock: SettableClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(maintenance_run, "MAXIMUM_CHANGES", 3)
    await consolidator.handle(
        *(recent(f"context {number}", clock, kind=Kind.CONTEXT) for number in range(7))
    )
    clock.advance(timedelta(days=8))
    await consolidator.handle(run(clock))
    parts: list[RunMaintenance] = []
    while following := stores.published.runs[len(parts) :]:
        parts += following
        await consolidator.handle(*following)
    assert [part.part for part in parts] == [1, 2]
    assert {memory.status for memory in (await listed(stores)).values()} == {Status.FORGOTTEN}
    sizes = [len(change_set.changes) for change_set in stores.published.announced[-3:]]
    assert sizes == [3, 3, 1]


async def test_the_vectors_of_turns_that_are_kept_no_longer_go(
    consolidator: Consolidator, stores: Stores
) -> None:
    old, young = stored("old", message_id="m1"), stored("young", message_id="m2")
    await consolidator.handle(old, young)
    await consolidator.handle(TurnsExpired(turn_ids=(old.turn.id,), **envelope("expired", "alice")))
    assert stores.vectors.points.keys() == {young.turn.id}
