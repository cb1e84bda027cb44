"""A month of invented users on Apache Kafka: several consolidators end it as one alone does."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, time
from itertools import groupby
from pathlib import Path

import pytest

from palimpsest.events.commands import ForgetMemory
from palimpsest.events.envelope import Event
from palimpsest.events.maintenance import build_daily_maintenance
from palimpsest.model.memory import Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest_lab.simulation.day_events import build_day_events
from palimpsest_lab.simulation.memory_claims import find_memory_claims
from palimpsest_lab.simulation.user_actions import (
    SimulatedYear,
    StatementForm,
    UserAction,
    UserActionType,
)
from palimpsest_lab.simulation.year_generator import FIRST_DAY, generate_year
from palimpsest_lab.simulation.year_player import get_evening
from palimpsest_server.stores.collections import CHANGE_SETS
from palimpsest_server.stores.mongo.memories import MongoMemories
from tests.support.stack.end_state import memories_in, stored
from tests.support.stack.gate import WriteGate
from tests.support.stack.served import Served
from tests.support.stack.world import PATIENCE_SECONDS, World

pytestmark = [pytest.mark.stack, pytest.mark.timeout(300)]

DAYS = 30
JOINS, LEAVES, STALLS, ALONE = 6, 12, 18, 24
"""The days on which a third one comes and goes, one is stopped and resumed, and is left alone."""

MORNING = datetime.combine(FIRST_DAY, time(), UTC)
REFUSED = "palimpsest_consolidator_refused_writes_total"


def month() -> SimulatedYear:
    """Of those who have things remembered: what others say is understood by another service."""
    everything = generate_year(seed=11, users=16, messages=1_000, days=DAYS)
    people = [person for person in everything.people if person.form is StatementForm.REMEMBERED]
    acts = [
        act
        for act in everything.acts
        if act.person.form is StatementForm.REMEMBERED and act.doing is not UserActionType.CHAT
    ]
    return SimulatedYear(people, everything.days, acts)


class Playing:
    """One world that lives through the month, with as many consolidators as there are."""

    def __init__(self, world: World, played: SimulatedYear) -> None:
        self.world = world
        self.consolidators: list[Served] = []
        self._played = played
        self._acts = {act.id: act for act in played.acts}
        self._of_day = {
            day: list(same) for day, same in groupby(played.acts, key=lambda act: act.day)
        }

    async def join(self, mongodb_url: str | None = None, *, since: datetime = MORNING) -> Served:
        """A consolidator more, which is ready."""
        served = await self.world.consolidator(mongodb_url, simulated_from=since)
        await served.ready()
        self.consolidators.append(served)
        return served

    async def leave(self, served: Served) -> None:
        self.consolidators.remove(served)
        await served.stop()

    async def night(self, day: date) -> None:
        """Everybody is looked after; nobody waits for it."""
        await asyncio.gather(
            *(consolidator.move_clock(get_evening(day)) for consolidator in self.consolidators)
        )
        await self.world.send(
            [
                build_daily_maintenance(
                    Namespace(user_id=person.user_id), day, now=get_evening(day), epoch=0
                )
                for person in self._played.people
            ]
        )

    async def live(self, day: date, *, joining: "asyncio.Task[Served] | None" = None) -> None:
        """What is said on that day, and what is to be forgotten by the end of it.

        While somebody joins it is said little by little, so that some of it falls between.
        """
        await self.world.all_settled()
        acts = self._of_day.get(day, [])
        events = [_stamped(event) for event in build_day_events(acts).events]
        while joining is not None and not joining.done() and len(events) > 1:
            await self.world.send([events.pop(0)])
            await asyncio.wait({joining}, timeout=0.2)
        await self.world.send(events)
        forgetting = [act for act in acts if act.doing is UserActionType.FORGET]
        if forgetting:
            await self.world.all_settled()
            await self.world.send([event for act in forgetting for event in await self._goes(act)])

    async def _goes(self, act: UserAction) -> Sequence[Event]:
        user_id = act.person.user_id
        known = await MongoMemories(self.world.database).list(
            [Scope(user_id=user_id)], statuses={Status.ACTIVE}, limit=1_000
        )
        return [
            ForgetMemory(
                event_id=f"{act.id} {memory.id}",
                user_id=user_id,
                occurred_at=act.occurred_at,
                received_at=act.occurred_at,
                epoch=0,
                memory_id=memory.id,
            )
            for memory in sorted(known, key=lambda memory: memory.id)
            if act.item in find_memory_claims(memory, self._acts)
        ]


def _stamped(event: Event) -> Event:
    return event.model_copy(update={"received_at": event.occurred_at, "epoch": 0})


@asynccontextmanager
async def living(kafka: str, mongodb_url: str, directory: Path) -> AsyncIterator[Playing]:
    async with World(kafka, mongodb_url, directory) as world:
        embedder = await world.embedder()
        await embedder.ready()
        yield Playing(world, month())


async def test_a_month_ends_the_same_whoever_comes_goes_or_is_stopped_meanwhile(
    kafka_stack: str, mongodb_url: str, tmp_path: Path
) -> None:
    async with (
        WriteGate(mongodb_url) as gate,
        living(kafka_stack, mongodb_url, tmp_path / "one") as one,
        living(kafka_stack, mongodb_url, tmp_path / "several") as several,
    ):
        _, refused = await asyncio.gather(_undisturbed(one), _disturbed(several, gate))
        expected, found = await stored(one.world.database), await stored(several.world.database)
    memories = memories_in(expected)
    statuses = Counter(memory.status for memory in memories)
    assert not expected["dead_letters"]
    assert min(statuses[status] for status in (Status.ACTIVE, Status.SUPERSEDED)) > 50
    assert statuses[Status.FORGOTTEN] > 5
    assert found == expected
    assert refused > 0


async def _undisturbed(playing: Playing) -> None:
    await playing.join()
    for day in month().days:
        await playing.night(day)
        await playing.live(day)
    await playing.world.all_settled()


async def _disturbed(playing: Playing, gate: WriteGate) -> float:
    """Answers how many writes were refused to the one that was stopped."""
    stalling, steady = await asyncio.gather(playing.join(gate.url), playing.join())
    third = None
    for number, day in enumerate(month().days):
        if number == STALLS:
            await _stalled_over(playing, stalling, gate, day)
        else:
            await playing.night(day)
        if number == JOINS:
            await playing.world.all_settled()
            joining = asyncio.create_task(playing.join(since=get_evening(day)))
            await playing.live(day, joining=joining)
            third = await joining
        elif number == LEAVES and third is not None:
            # While everybody is looked after, and then while some speak.
            leaving = asyncio.create_task(playing.leave(third))
            await playing.live(day)
            await leaving
        else:
            await playing.live(day)
        if number == ALONE:
            # It goes on as the only one, with what it remembers out of date.
            await playing.world.shared_by(2)
            await playing.leave(steady)
    await playing.world.all_settled()
    return await stalling.metric(REFUSED)


async def _stalled_over(playing: Playing, stalling: Served, gate: WriteGate, day: date) -> None:
    """One is stopped with a decision on its way, which arrives when another has made it."""
    await playing.world.all_settled()
    await playing.world.shared_by(2)
    late = gate.hold_next("insert", CHANGE_SETS.name)
    await playing.night(day)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await late.caught.wait()
    stalling.pause()
    # Only when its session has timed out does the other one get to its partitions.
    await playing.world.all_settled()
    late.released.set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await late.answered.wait()
    stalling.resume()
