"""Several consolidators on Apache Kafka, rebalanced and stalled: as if there had been only one."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from palimpsest.events.envelope import Event
from palimpsest.model.memory import Status
from palimpsest_server.stores.collections import CHANGE_SETS, MEMORIES
from tests.support.stack import feed
from tests.support.stack.end_state import Stored, memories_in, projected, searched, stored
from tests.support.stack.gate import WriteGate
from tests.support.stack.served import Served
from tests.support.stack.world import PATIENCE_SECONDS, World

pytestmark = [pytest.mark.stack, pytest.mark.timeout(400)]

SLICE = 24
LATE_WRITES = (("insert", CHANGE_SETS.name), ("update", MEMORIES.name))
"""A decision that comes too late, and a write of memories whose decision came in time."""

REFUSED = "palimpsest_consolidator_refused_writes_total"


@dataclass(frozen=True, kw_only=True)
class Round:
    """One stall: what is held back, what is in the stalled one's hands, what others do."""

    command: str
    collection: str
    in_hand: Sequence[Event]
    meanwhile: Sequence[Event]


@pytest.fixture
async def undisturbed(kafka_stack: str, mongodb_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with World(kafka_stack, mongodb_url, tmp_path / "undisturbed") as world:
        yield world


@pytest.fixture
async def disturbed(kafka_stack: str, mongodb_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with World(kafka_stack, mongodb_url, tmp_path / "disturbed") as world:
        yield world


async def test_rebalanced_and_stalled_consolidators_leave_what_a_single_one_does(
    undisturbed: World, disturbed: World, mongodb_url: str
) -> None:
    gate = await disturbed.gate(mongodb_url)
    single = await undisturbed.projecting()
    stalling = await disturbed.consolidator(gate.url)
    steady = await disturbed.consolidator()
    await asyncio.gather(single.ready(), stalling.ready(), steady.ready())

    peaceful = [await feed.of_everybody(stage) for stage in (feed.beginning, feed.changes_of_mind)]
    rounds = [await _round(number, *write) for number, write in enumerate(LATE_WRITES)]
    afterwards = await feed.of_everybody(partial(feed.in_hand, len(rounds)))
    await undisturbed.write([event for stage in peaceful for event in stage])
    await undisturbed.write([event for one in rounds for event in (*one.in_hand, *one.meanwhile)])
    await undisturbed.write(afterwards)

    await _write_under_rebalances(disturbed, [event for stage in peaceful for event in stage])
    for one in rounds:
        await _write_around_a_stalled_one(disturbed, one, stalling, gate)
    # It goes on as the only one, with what it remembers out of date.
    await disturbed.shared_by(2)
    await steady.stop()
    await disturbed.write(afterwards)
    await disturbed.all_written()
    await undisturbed.all_written()
    await undisturbed.all_projected()

    refused = await stalling.metric(REFUSED)
    await asyncio.gather(single.stop(), stalling.stop())
    expected, found = await stored(undisturbed.database), await stored(disturbed.database)
    _check_that_it_was_a_run_worth_comparing(expected)
    assert found == expected
    assert refused > 0

    finishing = await disturbed.projecting()
    await finishing.ready()
    await disturbed.all_projected()
    await finishing.stop()
    assert await stored(disturbed.database) == expected
    memories = memories_in(expected)
    projection = await projected(undisturbed.directory, memories)
    assert searched(memories).items() <= projection["versions"].items()
    assert await projected(disturbed.directory, memories) == projection


async def _round(number: int, command: str, collection: str) -> Round:
    return Round(
        command=command,
        collection=collection,
        in_hand=await feed.of_everybody(partial(feed.in_hand, number)),
        meanwhile=await feed.of_everybody(partial(feed.meanwhile, number)),
    )


async def _write_around_a_stalled_one(
    world: World, events: Round, stalling: Served, gate: WriteGate
) -> None:
    """Stop a consolidator with a write on its way, which arrives when others have gone past it."""
    await world.all_written()
    await world.shared_by(2)
    late = gate.hold_next(events.command, events.collection)
    await world.write(events.in_hand)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await late.caught.wait()
    stalling.pause()
    await world.write(events.meanwhile)
    # Only when its session has timed out does anybody else get to its partitions.
    await world.all_written()
    late.released.set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await late.answered.wait()
    stalling.resume()


async def _write_under_rebalances(world: World, events: Sequence[Event]) -> None:
    """A third consolidator comes while events flow, and goes while they still do."""
    slices = [events[start : start + SLICE] for start in range(0, len(events), SLICE)]
    third = await world.consolidator()
    joined = asyncio.create_task(third.ready())
    kept_for_its_time = len(slices) // 2
    while len(slices) > kept_for_its_time and not joined.done():
        await world.write(slices.pop(0))
        await asyncio.wait({joined}, timeout=0.2)
    await joined
    leaving = None
    while slices:
        await world.write(slices.pop(0))
        leaving = leaving or asyncio.create_task(third.stop())
    if leaving is not None:
        await leaving


def _check_that_it_was_a_run_worth_comparing(state: Stored) -> None:
    memories = memories_in(state)
    statuses = Counter(memory.status for memory in memories)
    assert not state["dead_letters"]
    assert len(memories) > 10 * len(feed.USERS)
    assert (
        min(statuses[status] for status in (Status.ACTIVE, Status.SUPERSEDED, Status.FORGOTTEN))
        > 20
    )
    assert max(memory.version for memory in memories) > 3
    assert sum(len(memory.evidence) > 1 for memory in memories) > len(feed.USERS)
    assert len(state["settings"]) == len(feed.USERS)
    assert state["recalls"]
