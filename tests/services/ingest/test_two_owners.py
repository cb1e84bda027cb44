"""A partition given to another process, and the one that had it goes on all the same."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.events.writes import TurnStored
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.sessions import Session, SessionKey
from services.ingest.turn_conversion import build_turn
from tests.support.services.ingest.world import SESSION, World
from tests.support.turns import message


@pytest.mark.embedded
async def test_two_owners_of_a_session_number_and_window_every_turn_once(
    database: MongoDatabase,
) -> None:
    owner, zombie = World.on(database), World.on(database)

    async def work(world: World, numbers: range, batch: int) -> None:
        for start in range(numbers.start, numbers.stop, batch):
            events = [message(n) for n in range(start, min(start + batch, numbers.stop))]
            assert await world.take(*events) == []

    await asyncio.gather(work(owner, range(1, 41), 5), work(zombie, range(1, 21), 3))
    turns = await owner.keeping.turns.stretch(SESSION, after=0, limit=99)
    assert [turn.sequence for turn in turns] == list(range(1, 41))
    assert {turn.message_id for turn in turns} == {f"m{number}" for number in range(1, 41)}

    sent = [*owner.log.of(TurnStored), *zombie.log.of(TurnStored)]
    assert {(turn_stored.turn.id, turn_stored.turn.sequence) for turn_stored in sent} == {
        (turn.id, turn.sequence) for turn in turns
    }

    windows = [*owner.log.of(ExtractionRequested), *zombie.log.of(ExtractionRequested)]
    fresh = {window.window_id: [turn.sequence for turn in window.fresh] for window in windows}
    counted = Counter(number for numbers in fresh.values() for number in numbers)
    assert set(counted.values()) == {1}
    windowed = (await owner.keeping.sessions.of([SESSION]))[SESSION].windowed_through
    assert sorted(number or 0 for number in counted) == list(range(1, windowed + 1))
    assert windowed > 36


async def test_a_turn_numbered_by_another_owner_between_two_reads_leaves_no_gap() -> None:
    owner = World()
    await owner.take(*map(message, range(1, 4)))
    accepted = build_turn(message(4), received_at=owner.clock(), epoch=0)
    await owner.keeping.turns.accept([accepted], now=owner.clock())
    other = World(keeping=owner.keeping)

    class Overtaking:
        """Another owner gets on while the first call to this store is under way."""

        def __init__(self, store: Any) -> None:
            self._store = store
            self._overtaken = False

        def __getattr__(self, name: str) -> Any:
            return getattr(self._store, name)

        async def of(self, keys: Sequence[SessionKey]) -> Mapping[SessionKey, Session]:
            if not self._overtaken:
                self._overtaken = True
                await other.take(message(4))
            standing: Mapping[SessionKey, Session] = await self._store.of(keys)
            return standing

    owner.around = lambda port: Overtaking(port) if port is owner.keeping.sessions else port
    owner.start()
    await owner.take(message(4), message(5))
    turns = await owner.keeping.turns.stretch(SESSION, after=0, limit=9)
    assert [turn.sequence for turn in turns] == [1, 2, 3, 4, 5]
