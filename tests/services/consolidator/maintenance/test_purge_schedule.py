"""What was forgotten a year ago is erased, unless somebody wanted it back."""

from datetime import timedelta

import pytest

from palimpsest.events.commands import PurgeForgotten, RestoreMemory
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest_server.stores.cached_user_states import StoredUserStates
from services.consolidator.maintenance.purge_schedule import DAYS_BETWEEN_PURGES, PurgeScheduler
from tests.support.clock import SettableClock
from tests.support.services.consolidator.events import RECEIVED, envelope, forget, remember
from tests.support.services.consolidator.events import remembered_id as id_of
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

SECRET = remember("The treasure is under the oak", event_id="secret")
OTHER = remember("I like tea", event_id="other")
ALICE = Scope(user_id="alice")


@pytest.fixture
def stores() -> Stores:
    return Stores.in_memory()


@pytest.fixture
def clock() -> SettableClock:
    clock = SettableClock()
    clock.advance(RECEIVED - clock())
    return clock


def purging(stores: Stores, clock: SettableClock) -> PurgeScheduler:
    return PurgeScheduler(
        namespaces=stores.namespaces,
        memories=stores.memories,
        change_sets=stores.change_sets,
        users=StoredUserStates(stores.settings, stores.epochs),
        publisher=stores.published,
        owns=lambda _: True,
        clock=clock,
    )


async def looked_for_a_week(stores: Stores, clock: SettableClock) -> int:
    looking = purging(stores, clock)
    found = 0
    for _ in range(DAYS_BETWEEN_PURGES):
        found += await looking.look()
        assert await looking.look() == 0
        clock.advance(timedelta(days=1))
    return found


async def status_of(stores: Stores, memory_id: str) -> Status:
    (memory,) = await stores.memories.by_ids([ALICE], [memory_id])
    return memory.status


async def test_a_year_after_it_was_forgotten_it_is_a_tombstone(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    await consolidator.handle(SECRET, OTHER)
    clock.advance(timedelta(days=300))
    await consolidator.handle(forget(id_of(SECRET)))
    clock.advance(timedelta(days=350))
    assert await looked_for_a_week(stores, clock) == 0
    clock.advance(timedelta(days=10))
    assert await looked_for_a_week(stores, clock) == 1

    (command,) = [
        purge_forgotten
        for _, purge_forgotten in stores.published.events
        if isinstance(purge_forgotten, PurgeForgotten)
    ]
    await consolidator.handle(command)
    assert await status_of(stores, id_of(SECRET)) is Status.PURGED
    assert await status_of(stores, id_of(OTHER)) is Status.ACTIVE
    (erased,) = await stores.erasures.of_user("alice")
    assert erased.erasure.memory_ids == (id_of(SECRET),)
    history = await stores.change_sets.history("alice", id_of(SECRET))
    assert (history[-1].actor, history[-1].reason) == ("maintenance", "forgotten a year ago")
    assert await looked_for_a_week(stores, clock) == 0


async def test_what_was_restored_before_the_command_arrived_stays(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    await consolidator.handle(SECRET)
    await consolidator.handle(forget(id_of(SECRET)))
    clock.advance(timedelta(days=366))
    assert await looked_for_a_week(stores, clock) == 1
    (command,) = [
        purge_forgotten
        for _, purge_forgotten in stores.published.events
        if isinstance(purge_forgotten, PurgeForgotten)
    ]
    restore = RestoreMemory(memory_id=id_of(SECRET), **envelope("restore", "alice"))
    await consolidator.handle(restore)
    await consolidator.handle(forget(id_of(SECRET), event_id="again"))
    await consolidator.handle(command)
    assert await status_of(stores, id_of(SECRET)) is Status.FORGOTTEN
    assert await stores.erasures.of_user("alice") == []
