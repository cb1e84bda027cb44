"""A run that looks only at what has come, changed or become due leaves what one over everything does."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.events.commands import CompleteTodo, PinMemory
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.envelope import Event
from palimpsest.events.maintenance import MemoryDistilled, build_daily_maintenance
from palimpsest.events.topics import CANDIDATES
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import MemorySource, Status
from palimpsest.model.scope import Namespace
from palimpsest.model.user import ForgettingPolicy, Tier
from palimpsest_server.domain.reflection.rule_reflections import WITHDRAWN
from services.consolidator.maintenance import (
    inspection_history,
    inspection_reader,
    maintenance_run,
)
from tests.support.clock import SettableClock
from tests.support.services.consolidator.events import (
    accessed,
    envelope,
    forget,
    remember,
    remembered_id,
    settle,
)
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator
from tests.support.stores.memories import InMemoryMemories

NAMESPACE = Namespace(user_id="alice")
KINDS = [Kind.CONTEXT, Kind.GOAL, Kind.EVENT, Kind.ACTION_ITEM, Kind.FACT]


@pytest.fixture(autouse=True, scope="module")
def little() -> Any:
    """What is little is next to nothing, and there is a day of the week for everything."""
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(inspection_history, "SMALL_NAMESPACE_MEMORIES", 1)
        patching.setattr(maintenance_run, "SMALL_NAMESPACE_MEMORIES", 1)
        patching.setattr(inspection_reader, "SMALL_NAMESPACE_MEMORIES", 1)
        yield


@pytest.fixture(autouse=True)
def thorough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection_reader, "DAYS_BETWEEN_REFLECTIONS", 7)


class Read(InMemoryMemories):
    """Counts how often a page of everything was read."""

    def __init__(self) -> None:
        super().__init__()
        self.active_pages = 0

    async def active_page(self, *arguments: Any, **named: Any) -> Any:
        self.active_pages += 1
        return await super().active_page(*arguments, **named)


def stores() -> Stores:
    made = Stores.in_memory()
    made.memories = Read()
    return made


def pages(held: Stores) -> int:
    assert isinstance(held.memories, Read)
    return held.memories.active_pages


def recent(number: int, clock: SettableClock, **fields: Any) -> RememberRequested:
    kind = KINDS[number % len(KINDS)]
    made = remember(
        f"my plan is number {number}",
        **{"kind": kind, "occurred_at": clock(), "received_at": clock(), **fields},
    )
    # Every third is near every other third, and their words agree.
    alike = {"vectors": (vectors_of("the same"),)} if number % 3 == 0 else {}
    return made.model_copy(update=alike)


async def night(consolidator: Consolidator, held: Stores, clock: SettableClock) -> None:
    """The run of the day, through all of its parts."""
    at = len(held.published.runs)
    day = clock().date()
    coming: Sequence[Event] = [build_daily_maintenance(NAMESPACE, day, now=clock(), epoch=0)]
    while coming:
        await consolidator.handle(*coming)
        coming = held.published.runs[at:]
        at += len(coming)


def quiet_day(clock: SettableClock) -> None:
    """On from here to the day after the one for everything, two months from now."""
    clock.advance(timedelta(days=60))
    while not _is_for_everything(clock().date()):
        clock.advance(timedelta(days=1))


def _is_for_everything(day: date) -> bool:
    run = build_daily_maintenance(NAMESPACE, day, now=SettableClock()(), epoch=0)
    return inspection_reader._is_its_day(
        run, "reflection", inspection_reader.DAYS_BETWEEN_REFLECTIONS
    )


async def test_everything_is_looked_at_once_a_week_and_what_is_new_each_day(
    clock: SettableClock,
) -> None:
    held = stores()
    consolidator = Consolidator(held, clock)
    quiet_day(clock)
    await consolidator.handle(*(recent(number, clock) for number in (1, 2, 4)))
    await night(consolidator, held, clock)
    assert pages(held) == 1
    for day in range(1, 8):
        clock.advance(timedelta(days=1))
        await consolidator.handle(recent(10 + day, clock))
        await night(consolidator, held, clock)
        assert pages(held) == (2 if day == 7 else 1)


@pytest.mark.parametrize(
    "happens",
    [
        lambda held, clock: Consolidator(held, clock).handle(recent(20, clock)),
        lambda _held, _clock: None,
    ],
    ids=["written by another", "restarted"],
)
async def test_what_was_not_followed_is_looked_at_anew(
    happens: Callable[[Stores, SettableClock], Any], clock: SettableClock
) -> None:
    held = stores()
    consolidator = Consolidator(held, clock)
    quiet_day(clock)
    await consolidator.handle(*(recent(number, clock) for number in (1, 2, 4)))
    await night(consolidator, held, clock)
    clock.advance(timedelta(days=1))
    if (happening := happens(held, clock)) is None:
        consolidator = Consolidator(held, clock)
    else:
        await happening
    await night(consolidator, held, clock)
    assert pages(held) == 2


async def test_a_policy_that_is_settled_is_followed_the_next_night(clock: SettableClock) -> None:
    held = stores()
    consolidator = Consolidator(held, clock)
    await consolidator.handle(recent(1, clock, kind=Kind.GOAL, importance=0.4))
    quiet_day(clock)
    clock.advance(timedelta(days=70))
    await night(consolidator, held, clock)
    clock.advance(timedelta(days=1))
    await consolidator.handle(settle(forgetting_policy=ForgettingPolicy.COMPANION))
    await night(consolidator, held, clock)
    (only,) = await anext(held.memories.pages(NAMESPACE, size=9))
    assert only.status is Status.FORGOTTEN


async def test_what_is_pinned_no_longer_goes_the_next_night(clock: SettableClock) -> None:
    held = stores()
    consolidator = Consolidator(held, clock)
    plan = recent(1, clock, kind=Kind.GOAL, importance=0.2)
    pinned = PinMemory(memory_id=remembered_id(plan), **envelope("pin", "alice"))
    await consolidator.handle(plan, pinned)
    quiet_day(clock)
    clock.advance(timedelta(days=70))
    await night(consolidator, held, clock)
    clock.advance(timedelta(days=1))
    free = PinMemory(memory_id=remembered_id(plan), pinned=False, **envelope("free", "alice"))
    await consolidator.handle(free)
    await night(consolidator, held, clock)
    (only,) = await anext(held.memories.pages(NAMESPACE, size=9))
    assert (only.status, pages(held)) == (Status.FORGOTTEN, 1)


async def test_an_insight_goes_the_night_after_what_it_rests_on(clock: SettableClock) -> None:
    held = stores()
    consolidator = Consolidator(held, clock)
    told = []
    for number in range(3):
        moments: dict[str, Any] = {"occurred_at": clock(), "received_at": clock()}
        words = f"We chose Rust for part {number}"
        told.append(remember(words, kind=Kind.DECISION, entities=("Rust",), **moments))
        clock.advance(timedelta(days=1))
    await consolidator.handle(*told)
    while not _is_for_everything(clock().date()):
        clock.advance(timedelta(days=1))
    await night(consolidator, held, clock)
    (proposal,) = (
        memory_distilled
        for memory_distilled in held.published.on(CANDIDATES)
        if isinstance(memory_distilled, MemoryDistilled)
    )
    vectors = tuple(vectors_of(text.dense) for text in proposal.texts())
    await consolidator.handle(proposal.model_copy(update={"vectors": vectors}))
    clock.advance(timedelta(days=3))
    await night(consolidator, held, clock)
    await consolidator.handle(forget(remembered_id(told[1])))
    clock.advance(timedelta(days=1))
    await night(consolidator, held, clock)
    made = await anext(held.memories.pages(NAMESPACE, size=9))
    (insight,) = (memory for memory in made if memory.source is MemorySource.REFLECTION)
    assert (insight.status, insight.status_reason) == (Status.FORGOTTEN, WITHDRAWN)
    assert pages(held) == 1


Doing = tuple[str, int]
doings = st.tuples(
    st.sampled_from(["say", "say", "say", "forget", "recall", "do", "wait", "wait"]),
    st.integers(0, 11),
)


def event_of(
    doing: Doing, number: int, said: list[RememberRequested], clock: SettableClock
) -> Event | None:
    what, which = doing
    if what == "say":
        made = recent(which, clock, event_id=f"said {number}", importance=0.35)
        said.append(made)
        return made
    if not said:
        return None
    chosen = remembered_id(said[which % len(said)])
    match what:
        case "forget":
            return forget(chosen, event_id=f"forget {number}")
        case "recall":
            recall = accessed(f"r{number}", chosen)
            return recall.model_copy(update={"occurred_at": clock()})
        case "do":
            return CompleteTodo(todo_id=chosen, **envelope(f"done {number}", "alice"))
    return None


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.lists(doings, max_size=4), st.integers(1, 4)), min_size=6, max_size=30),
    st.sampled_from([ForgettingPolicy.GATED, ForgettingPolicy.COMPANION]),
    st.sampled_from([Tier.ENTERPRISE, Tier.SEED]),
)
async def test_it_ends_in_the_same_state_as_a_look_at_everything_each_day(
    history: list[tuple[list[Doing], int]], policy: ForgettingPolicy, tier: Tier
) -> None:
    ends = []
    for remembers in (True, False):
        clock, held = SettableClock(), stores()
        said: list[RememberRequested] = []
        consolidator = Consolidator(held, clock, tier=tier)
        await consolidator.handle(settle(forgetting_policy=policy))
        for day, (of_day, days) in enumerate(history):
            # What is done on a day comes together, so that a run may have to decide beside it.
            events = [
                event
                for number, doing in enumerate(of_day)
                if (event := event_of(doing, 10 * day + number, said, clock)) is not None
            ]
            if events:
                await consolidator.handle(*events)
            if not remembers:
                consolidator = Consolidator(held, clock, tier=tier)
            await night(consolidator, held, clock)
            clock.advance(timedelta(days=days * (9 if day % 5 == 4 else 1)))
        ends.append(await held.state(["alice"]))
    assert ends[0] == ends[1]
