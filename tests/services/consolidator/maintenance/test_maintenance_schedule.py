from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from statistics import fmean
from typing import Any, cast

import pytest

from palimpsest.events.topics import CANDIDATES
from palimpsest.model.scope import Namespace
from palimpsest_server.stores.cached_user_states import StoredUserStates
from services.consolidator.maintenance.maintenance_schedule import (
    MaintenanceScheduler,
    compute_due_time,
    is_report_day,
)
from tests.support.clock import SettableClock
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

DAY = date(2026, 3, 2)
NAMESPACES = [Namespace(user_id=f"user{number}", agent_id="coach") for number in range(12)]


def scheduler(stores: Stores, clock: SettableClock, *, owned: str = "user") -> MaintenanceScheduler:
    return MaintenanceScheduler(
        namespaces=stores.namespaces,
        users=StoredUserStates(stores.settings, stores.epochs),
        change_sets=stores.change_sets,
        publisher=stores.published,
        owns=lambda user_id: user_id.startswith(owned),
        reporting=None,
        clock=clock,
        interval=timedelta(minutes=5),
    )


@pytest.fixture
def clock() -> SettableClock:
    clock = SettableClock()
    clock.now = datetime.combine(DAY, time(23, 59, 59), UTC)
    return clock


@pytest.fixture
async def stores(stores: Stores) -> Stores:
    await stores.namespaces.register(NAMESPACES)
    return stores


def test_turns_are_spread_over_the_day_and_the_same_every_day() -> None:
    midnight = datetime.combine(DAY, time(), UTC)
    many = [Namespace(user_id=f"user{number}") for number in range(2_000)]
    hours = [
        (compute_due_time(namespace, DAY) - midnight) / timedelta(hours=1) for namespace in many
    ]
    assert 0 <= min(hours) < 0.1
    assert 23.9 < max(hours) < 24
    assert fmean(hours) == pytest.approx(12, abs=0.5)
    tomorrow = DAY + timedelta(days=1)
    assert compute_due_time(many[0], tomorrow) - compute_due_time(many[0], DAY) == timedelta(days=1)


async def test_each_namespace_of_ours_is_sent_once_a_day(
    stores: Stores, clock: SettableClock
) -> None:
    ours = scheduler(stores, clock, owned="user1")
    assert await ours.look(pause_seconds=0) == 3
    assert await ours.look(pause_seconds=0) == 0
    assert {run.user_id for run in stores.published.runs} == {"user1", "user10", "user11"}
    assert {topic for topic, _ in stores.published.events} == {CANDIDATES}
    clock.advance(timedelta(days=1))
    assert await ours.look(pause_seconds=0) == 3
    assert {run.day for run in stores.published.runs} == {DAY, DAY + timedelta(days=1)}


async def test_nobodys_turn_comes_before_its_time(stores: Stores, clock: SettableClock) -> None:
    clock.now = datetime.combine(DAY, time(12), UTC)
    noon = clock()
    await scheduler(stores, clock).look(pause_seconds=0)
    runs = {run.scope.namespace: run for run in stores.published.runs}
    early = {namespace for namespace in NAMESPACES if compute_due_time(namespace, DAY) <= noon}
    assert 0 < len(early) < len(NAMESPACES)
    # The others' last turn was yesterday, when nobody was there to look.
    yesterday = DAY - timedelta(days=1)
    assert {namespace: run.day for namespace, run in runs.items()} == {
        namespace: DAY if namespace in early else yesterday for namespace in NAMESPACES
    }


async def test_who_is_due_just_before_midnight_is_looked_after_just_after_it(
    stores: Stores, clock: SettableClock
) -> None:
    names = (Namespace(user_id=f"user{number}") for number in range(5_000))
    latest = max(names, key=lambda namespace: compute_due_time(namespace, DAY))
    await stores.namespaces.register([latest])
    clock.now = datetime.combine(DAY, time(23, 57), UTC)
    watching = scheduler(stores, clock)
    for _ in range(3 * 24 * 12):
        await watching.look(pause_seconds=0)
        clock.advance(timedelta(minutes=5))
    days = [run.day for run in stores.published.runs if run.scope.namespace == latest]
    assert days == [DAY + timedelta(days=number) for number in range(-1, 3)]


async def test_a_new_process_sends_only_what_was_not_done(
    stores: Stores, clock: SettableClock
) -> None:
    await scheduler(stores, clock).look(pause_seconds=0)
    await Consolidator(stores, clock).handle(*stores.published.runs[:5])
    assert await scheduler(stores, clock).look(pause_seconds=0) == len(NAMESPACES) - 5
    ids = [run.event_id for run in stores.published.runs]
    assert len(ids) == len(NAMESPACES) * 2 - 5
    assert len(set(ids)) == len(NAMESPACES)


async def test_what_is_new_waits_for_its_next_turn(stores: Stores, clock: SettableClock) -> None:
    watching = scheduler(stores, clock)
    await watching.look(pause_seconds=0)
    fresh = Namespace(user_id="user fresh")
    await stores.namespaces.register([fresh])
    assert await watching.look(pause_seconds=0) == 0
    clock.advance(timedelta(days=1))
    assert await watching.look(pause_seconds=0) == len(NAMESPACES) + 1


class Broken:
    """A report on something that cannot be read."""

    def __init__(self) -> None:
        self.asked = 0

    async def report(self, namespaces: Sequence[Namespace]) -> None:
        self.asked += bool(namespaces)
        if namespaces:
            raise ValueError("no such kind")


async def test_what_cannot_be_reported_on_keeps_nobody_from_being_looked_after(
    stores: Stores, clock: SettableClock
) -> None:
    watching = scheduler(stores, clock)
    watching._reporting = broken = cast("Any", Broken())
    await watching.look(pause_seconds=0)
    with pytest.raises(ValueError, match="no such kind"):
        await watching.report()
    await watching.report()
    assert broken.asked == 1


def test_reports_are_spread_over_the_days_between_them() -> None:
    month = [DAY + timedelta(days=number) for number in range(30)]
    many = [Namespace(user_id=f"user{number}") for number in range(300)]
    reported = {
        namespace: [day for day in month if is_report_day(namespace, day, every=10)]
        for namespace in many
    }
    assert {len(days) for days in reported.values()} == {3}
    assert len({days[0] for days in reported.values()}) == 10
    assert all(is_report_day(many[0], day, every=1) for day in month)
