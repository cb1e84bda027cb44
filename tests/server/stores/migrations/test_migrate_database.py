"""Steps in their order, under a lease, as often as it takes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from palimpsest.model.scope import Layout
from palimpsest_server.stores.collections import SCHEMA, TURNS
from palimpsest_server.stores.migrations import migrate_database as migrations
from palimpsest_server.stores.migrations.database_version import (
    LEASE_SECONDS,
    AppliedStep,
    MigrationLeaseLost,
    MigrationLeaseTaken,
    MongoDatabaseVersion,
)
from palimpsest_server.stores.migrations.migrate_database import (
    MigrationProgress,
    MigrationReport,
    migrate_database,
    plan_migration,
)
from palimpsest_server.stores.migrations.migration_step import (
    MigrationContext,
    MigrationStep,
    StepBatch,
    check_step_numbers,
)
from palimpsest_server.stores.migrations.start_decision import DatabaseTooNew
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock

pytestmark = pytest.mark.embedded


class Killed(Exception):
    pass


@dataclass
class Rename:
    """Rename a field of every turn, three documents at a time."""

    number: int
    old: str
    new: str
    killed_after: int | None = None
    words: str = "a field is renamed"
    batches_written: list[int] = field(default_factory=list)

    async def count(self, context: MigrationContext) -> int:
        return int(await context.database.raw(TURNS.name).count_documents({}))

    async def batches(self, context: MigrationContext) -> AsyncIterator[StepBatch]:
        turns = context.database.raw(TURNS.name)
        found = turns.find({self.old: {"$exists": True}}, {"_id": 1})
        while documents := await found.to_list(3):
            ids = [each["_id"] for each in documents]

            async def write(ids: list[str] = ids) -> None:
                if self.killed_after == len(self.batches_written):
                    raise Killed
                self.batches_written.append(len(ids))
                change = {"$rename": {self.old: self.new}}
                await turns.update_many({"_id": {"$in": ids}}, change)

            yield StepBatch(seen=len(ids), changed=len(ids), write=write)


@pytest.fixture
async def context(database: MongoDatabase, clock: SettableClock) -> MigrationContext:
    await database.raw(TURNS.name).insert_many(
        {"_id": str(number), "a": number, "unnumbered": True} for number in range(8)
    )
    return MigrationContext(database=database, layout=Layout.POOLED, clock=clock)


def steps(*, killed_after: int | None = None) -> list[MigrationStep]:
    return [Rename(1, "a", "b"), Rename(2, "b", "c", killed_after)]


async def migrate(
    context: MigrationContext,
    lacking: Sequence[MigrationStep],
    progress: MigrationProgress = lambda _: None,
) -> MigrationReport:
    return await migrate_database(
        context, owner="one", program="1.2.3", steps=lacking, progress=progress
    )


async def names(context: MigrationContext) -> list[str]:
    found = await context.database.raw(TURNS.name).find({}).to_list(None)
    return sorted(name for each in found for name in each.keys() & {"a", "b", "c"})


async def test_all_steps_that_are_lacking_are_done_once_and_written_down(
    context: MigrationContext,
) -> None:
    told: list[tuple[int, int, int]] = []
    report = await migrate(
        context, steps(), lambda step: told.append((step.number, step.seen, step.total))
    )
    assert (report.found, report.version) == (0, 2)
    assert [step.changed for step in report.steps] == [8, 8]
    assert told[:4] == [(1, 0, 8), (1, 3, 8), (1, 6, 8), (1, 8, 8)]
    assert await names(context) == ["c"] * 8
    found = await MongoDatabaseVersion(context.database).read()
    assert found is not None
    assert [(step.step, step.program) for step in found.applied] == [(1, "1.2.3"), (2, "1.2.3")]
    assert found.lease is None
    assert (await migrate(context, steps())).steps == []


async def test_a_dry_run_says_the_same_and_writes_nothing(context: MigrationContext) -> None:
    report = await plan_migration(context, steps=[Rename(1, "a", "b")])
    assert (report.found, report.version) == (0, 0)
    assert [(step.seen, step.changed) for step in report.steps] == [(8, 8)]
    assert await names(context) == ["a"] * 8
    assert await context.database.raw(SCHEMA.name).find_one({}) is None


async def test_what_was_ended_in_the_middle_goes_on_from_there(
    context: MigrationContext, clock: SettableClock
) -> None:
    """The lease of a process that was killed ends by itself."""
    versions = MongoDatabaseVersion(context.database)
    with pytest.raises(Killed):
        await migrate(context, steps(killed_after=1))
    await versions.take_lease("killed", clock())
    found = await versions.read()
    assert found is not None
    assert found.version == 1
    assert await names(context) == ["b"] * 5 + ["c"] * 3

    with pytest.raises(MigrationLeaseTaken):
        await migrate(context, steps())
    clock.advance(timedelta(seconds=LEASE_SECONDS))
    report = await migrate(context, steps())

    assert (report.found, report.version) == (1, 2)
    assert [step.changed for step in report.steps] == [5]
    assert await names(context) == ["c"] * 8


async def test_the_same_owner_need_not_wait_for_itself(
    context: MigrationContext, clock: SettableClock
) -> None:
    versions = MongoDatabaseVersion(context.database)
    await versions.begin_at(0, encrypted=False)
    await versions.take_lease("one", clock())
    assert (await migrate(context, steps())).version == 2


async def test_whoever_lost_the_lease_writes_no_version_down(
    context: MigrationContext, clock: SettableClock
) -> None:
    versions = MongoDatabaseVersion(context.database)
    await versions.begin_at(0, encrypted=False)
    await versions.take_lease("one", clock())
    clock.advance(timedelta(seconds=LEASE_SECONDS))
    await versions.take_lease("two", clock())
    step = AppliedStep(step=1, at=clock(), program="1")
    with pytest.raises(MigrationLeaseLost):
        await versions.renew_lease("one", clock())
    with pytest.raises(MigrationLeaseLost):
        await versions.advance("one", step)
    await versions.release_lease("one")
    await versions.advance("two", step)
    with pytest.raises(MigrationLeaseLost):
        await versions.advance("two", step)


async def test_work_stops_where_another_process_took_over(
    context: MigrationContext, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "RENEWAL_SECONDS", 0.01)
    versions = MongoDatabaseVersion(context.database)

    class Stalled(Rename):
        async def batches(self, context: MigrationContext) -> AsyncIterator[StepBatch]:
            clock.advance(timedelta(seconds=LEASE_SECONDS))
            await context.database.raw(SCHEMA.name).update_one({}, {"$set": {"lease.owner": "two"}})
            await asyncio.Event().wait()
            yield StepBatch(seen=0)

    with pytest.raises(MigrationLeaseLost):
        await migrate(context, [Stalled(1, "a", "b")])
    found = await versions.read()
    assert found is not None
    assert found.version == 0
    assert found.lease is not None
    assert found.lease.owner == "two"


async def test_a_newer_database_is_not_touched(context: MigrationContext) -> None:
    await MongoDatabaseVersion(context.database).begin_at(3, encrypted=False)
    for refused in (
        migrate(context, steps()),
        plan_migration(context, steps=steps()),
    ):
        with pytest.raises(DatabaseTooNew):
            await refused
    assert await names(context) == ["a"] * 8


async def test_an_empty_database_begins_at_the_newest_version(
    database: MongoDatabase, clock: SettableClock
) -> None:
    context = MigrationContext(database=database, layout=Layout.POOLED, clock=clock)
    report = await migrate(context, steps())
    assert (report.found, report.version, report.steps) == (2, 2, [])


def test_steps_are_numbered_without_gaps() -> None:
    with pytest.raises(RuntimeError, match=r"\[1, 3\]"):
        check_step_numbers([Rename(1, "a", "b"), Rename(3, "b", "c")])
