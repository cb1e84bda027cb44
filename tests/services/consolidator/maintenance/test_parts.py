"""A run over much is many small parts: each looks at no more than its bound, and none is missed."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from palimpsest.events.conversations import RememberRequested
from palimpsest.events.maintenance import RunMaintenance, build_daily_maintenance
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Namespace
from palimpsest.model.user import Tier
from palimpsest_server.domain import quotas
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.vectors import VectorHit, VectorQuery
from services.consolidator.maintenance import inspection_reader, maintenance_run, quota_enforcement
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.services.consolidator.events import remember, remembered_id
from tests.support.services.consolidator.stores import MODEL, Stores, vectors_of
from tests.support.services.consolidator.world import UNHURRIED, Consolidator

NAMESPACE = Namespace(user_id="alice")
PAGE = 4


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection_reader, "MEMORIES_PER_PART", PAGE)


class Asked(InMemoryVectorStore):
    """Vectors that remember how much was asked of them in each round trip."""

    def __init__(self) -> None:
        super().__init__(MODEL)
        self.sizes: list[int] = []

    async def search_many(self, queries: Sequence[VectorQuery]) -> Sequence[Sequence[VectorHit]]:
        self.sizes.append(len(queries))
        return await super().search_many(queries)


def recent(content: str, clock: SettableClock, **fields: Any) -> RememberRequested:
    return remember(content, **{"occurred_at": clock(), "received_at": clock(), **fields})


def nearby(event: RememberRequested) -> RememberRequested:
    return event.model_copy(update={"vectors": (vectors_of("the same"),)})


async def parts(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> AsyncIterator[tuple[RunMaintenance, ChangeSet]]:
    """A whole run, part by part, each with what it changed."""
    seen = len(stores.published.runs)
    coming = [build_daily_maintenance(NAMESPACE, date(2026, 3, 2), now=clock(), epoch=0)]
    while coming:
        await consolidator.handle(*coming)
        yield coming[0], stores.published.announced[-1]
        coming = stores.published.runs[seen:]
        assert len(coming) <= 1
        seen += len(coming)


async def by_id(stores: Stores) -> list[Memory]:
    return sorted(await stores.listed(ALICE), key=lambda memory: memory.id)


@pytest.mark.parametrize("count", [0, 1, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE, 3 * PAGE + 1])
async def test_each_part_looks_at_a_page_and_all_pages_are_everything(
    count: int, consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        *(recent(f"context {number}", clock, kind=Kind.CONTEXT) for number in range(count))
    )
    clock.advance(timedelta(days=8))
    done = [part async for part in parts(consolidator, stores, clock)]
    changed = [len(change_set.changes) for _, change_set in done]
    assert max(changed) <= PAGE
    assert sum(changed) == count
    assert {memory.status for memory in await stores.listed(ALICE)} <= {Status.FORGOTTEN}
    # What fits a page is one event a day; more is a page each, and one part for the whole.
    assert len(done) == (1 if count < PAGE else count // PAGE + 2)
    assert [run.whole for run, _ in done] == [False] * (len(done) - 1) + [len(done) > 1]


async def test_a_part_that_comes_again_changes_nothing(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    await consolidator.handle(
        *(recent(f"context {number}", clock, kind=Kind.CONTEXT) for number in range(PAGE + 1))
    )
    clock.advance(timedelta(days=8))
    done = [run async for run, _ in parts(consolidator, stores, clock)]
    before = await stores.state("alice")
    for part in done:
        await Consolidator(stores, clock).handle(part)
    assert await stores.state("alice") == before


async def test_what_says_the_same_becomes_one_though_it_is_on_another_page(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    others = [recent(f"fact {number}", clock, kind=Kind.FACT) for number in range(3 * PAGE)]
    short, long = "I drink green tea at work", "I drink green tea at work, at the office"
    twins = [nearby(recent(words, clock)) for words in (short, long)]
    await consolidator.handle(*others, *twins)
    places = [memory.id for memory in await by_id(stores)]
    pages = {places.index(remembered_id(twin)) // PAGE for twin in twins}
    assert len(pages) == 2, "they are to be apart"
    async for _ in parts(consolidator, stores, clock):
        pass
    found = {memory.content: memory.status for memory in await stores.listed(ALICE)}
    assert found[short] is Status.ARCHIVED
    assert found[long] is Status.ACTIVE


async def test_no_round_trip_asks_for_more_neighbours_than_one_call_may_take(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection_reader, "MEMORIES_PER_PART", 20)
    monkeypatch.setattr(inspection_reader, "MAXIMUM_SEARCHES_PER_CALL", 6)
    stores.vectors = vectors = Asked()
    consolidator = Consolidator(stores, clock)
    await consolidator.handle(*(recent(f"fact {number}", clock) for number in range(20)))
    assert [run.after is None async for run, _ in parts(consolidator, stores, clock)] == [
        True,
        False,
        True,
    ]
    assert vectors.sizes == [6, 6, 6, 2]


async def test_where_one_search_takes_long_no_more_are_made(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection_reader, "MEMORIES_PER_PART", 20)
    monkeypatch.setattr(inspection_reader, "MAXIMUM_SEARCHES_PER_CALL", 8)
    stores.vectors = vectors = Asked()
    hurried = replace(UNHURRIED, maximum_call_seconds=-1.0)
    consolidator = Consolidator(stores, clock, inspection_times=hurried)
    await consolidator.handle(*(recent(f"fact {number}", clock) for number in range(16)))
    async for _ in parts(consolidator, stores, clock):
        pass
    assert vectors.sizes == [8, 1]


async def test_what_takes_too_long_to_compare_is_left_to_the_next_part(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection_reader, "MEMORIES_PER_PART", 20)
    monkeypatch.setattr(inspection_reader, "MAXIMUM_SEARCHES_PER_CALL", 6)
    stores.vectors = vectors = Asked()
    hurried = replace(UNHURRIED, search_budget_seconds=-1.0)
    consolidator = Consolidator(stores, clock, inspection_times=hurried)
    await consolidator.handle(*(recent(f"fact {number}", clock) for number in range(15)))
    places = [memory.id for memory in await by_id(stores)]
    cursors = [run.after async for run, _ in parts(consolidator, stores, clock)]
    assert cursors == [None, places[5], places[11], None]
    assert vectors.sizes == [6, 6, 3]


async def test_the_quota_is_kept_though_nobody_reads_all_there_is(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        quota_enforcement, "ACTIVE_MEMORY_LIMITS", {**quotas.ACTIVE_MEMORY_LIMITS, Tier.SEED: 10}
    )
    unlimited = Consolidator(stores, clock)
    await unlimited.handle(
        *(recent(f"fact {n}", clock, importance=0.5 + n / 100) for n in range(19))
    )
    limited = Consolidator(stores, clock, tier=Tier.SEED)
    async for _ in parts(limited, stores, clock):
        pass
    assert await stores.memories.count_active([NAMESPACE]) == {NAMESPACE: 10}
    left = {
        memory.content for memory in await stores.listed(ALICE) if memory.status is Status.ACTIVE
    }
    assert left == {f"fact {n}" for n in range(9, 19)}


async def test_a_change_set_is_bounded_by_its_bytes(
    consolidator: Consolidator,
    stores: Stores,
    clock: SettableClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inspection_reader, "MEMORIES_PER_PART", 100)
    monkeypatch.setattr(maintenance_run, "MAXIMUM_CHANGE_BYTES", 100_000)
    heavy = {"steps": ["x" * 1000] * 15}
    await consolidator.handle(
        *(recent(f"step {n}", clock, kind=Kind.CONTEXT, data=heavy) for n in range(10))
    )
    clock.advance(timedelta(days=8))
    done = [part async for part in parts(consolidator, stores, clock)]
    sizes = [len(change_set.model_dump_json()) for _, change_set in done]
    assert max(sizes) <= 100_000 + 2_000
    assert sum(len(change_set.changes) for _, change_set in done) == 10
    assert {memory.status for memory in await stores.listed(ALICE)} == {Status.FORGOTTEN}
