"""Bring a database to the newest version: indexes, then missing steps, under a lease."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from pymongo.errors import PyMongoError

from palimpsest.model.clock import Clock
from palimpsest_server.stores.migrations.database_version import (
    LEASE_SECONDS,
    AppliedStep,
    DatabaseVersion,
    MigrationLeaseLost,
    MongoDatabaseVersion,
)
from palimpsest_server.stores.migrations.index_differences import (
    IndexDifferences,
    find_index_differences,
    rebuild_indexes,
)
from palimpsest_server.stores.migrations.migration_step import MigrationContext, MigrationStep
from palimpsest_server.stores.migrations.start_decision import decide_start
from palimpsest_server.stores.migrations.steps import STEPS

RENEWAL_SECONDS = LEASE_SECONDS / 4


@dataclass
class StepReport:
    """The work of one step; in a dry run, the work to do."""

    number: int
    words: str
    total: int = 0
    """Number of documents to look at, counted before the step."""
    seen: int = 0
    changed: int = 0


@dataclass
class MigrationReport:
    found: int
    """The version before."""
    version: int
    """The version after; in a dry run, the same."""
    indexes: Sequence[IndexDifferences] = ()
    steps: list[StepReport] = field(default_factory=list)


MigrationProgress = Callable[[StepReport], None]
"""Called when a step begins and after each of its batches."""


def _untold(_: StepReport) -> None:
    return None


async def plan_migration(
    context: MigrationContext,
    *,
    steps: Sequence[MigrationStep] = STEPS,
    progress: MigrationProgress = _untold,
) -> MigrationReport:
    """Return the work that a migration would do, and change nothing.

    Raises:
        DatabaseTooNew: a newer program wrote the database.
    """
    version = await _version_to_start_from(MongoDatabaseVersion(context.database), steps)
    report = MigrationReport(version, version, await find_index_differences(context))
    for step in steps[version:]:
        report.steps.append(told := await _begin(context, step, progress))
        async for batch in step.batches(context):
            told.seen += batch.seen
            told.changed += batch.changed
            progress(told)
    return report


async def migrate_database(
    context: MigrationContext,
    *,
    owner: str,
    program: str,
    steps: Sequence[MigrationStep] = STEPS,
    progress: MigrationProgress = _untold,
) -> MigrationReport:
    """Bring the database to the last of these steps.

    Whatever ends this in the middle leaves the database at the last step that was done; it goes on from
    there when it is called again.

    Args:
        context: the database, its layout and the clock.
        owner: a name of this process that no other one has.
        program: the version of the program, which is written down beside each step.
        steps: of this program.
        progress: told how far it is.

    Raises:
        DatabaseTooNew: a newer program wrote the database.
        MigrationLeaseTaken: another process migrates it.
        MigrationLeaseLost: another process took over.
    """
    versions = MongoDatabaseVersion(context.database)
    await versions.begin_at(
        await _version_to_start_from(versions, steps),
        encrypted=context.database.sealing is not None,
    )
    async with _lease(versions, owner, context.clock) as standing:
        report = MigrationReport(standing.version, standing.version)
        report.indexes = await find_index_differences(context)
        for differences in report.indexes:
            await rebuild_indexes(context.database, differences)
        for step in steps[standing.version :]:
            report.steps.append(await _apply(context, step, progress))
            applied = AppliedStep(step=step.number, at=context.clock(), program=program)
            await versions.advance(owner, applied)
            report.version = step.number
    return report


async def _version_to_start_from(
    versions: MongoDatabaseVersion, steps: Sequence[MigrationStep]
) -> int:
    found, empty = await versions.read_or_empty()
    version = None if found is None else found.version
    decide_start(version, empty=empty, newest=len(steps), migrates=True)
    return len(steps) if empty else version or 0


async def _begin(
    context: MigrationContext, step: MigrationStep, progress: MigrationProgress
) -> StepReport:
    told = StepReport(step.number, step.words, await step.count(context))
    progress(told)
    return told


async def _apply(
    context: MigrationContext, step: MigrationStep, progress: MigrationProgress
) -> StepReport:
    told = await _begin(context, step, progress)
    async for batch in step.batches(context):
        await batch.write()
        told.seen += batch.seen
        told.changed += batch.changed
        progress(told)
    return told


@asynccontextmanager
async def _lease(
    versions: MongoDatabaseVersion, owner: str, clock: Clock
) -> AsyncIterator[DatabaseVersion]:
    """Hold the lease and renew it; cancel the work if it cannot be renewed."""
    standing = await versions.take_lease(owner, clock())
    working = asyncio.current_task()
    lost: list[MigrationLeaseLost] = []

    async def renew() -> None:
        try:
            while True:
                await asyncio.sleep(RENEWAL_SECONDS)
                # The next one comes before the lease is over; what works here meets the same server.
                with suppress(PyMongoError):
                    await versions.renew_lease(owner, clock())
        except MigrationLeaseLost as error:
            lost.append(error)
            if working is not None:
                working.cancel()

    renewal = asyncio.create_task(renew())
    try:
        yield standing
    except asyncio.CancelledError:
        if not lost or working is None:
            raise
        working.uncancel()
        raise lost[0] from None
    finally:
        renewal.cancel()
        await versions.release_lease(owner)
