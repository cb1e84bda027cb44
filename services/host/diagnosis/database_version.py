"""Checks the version of the database, its indexes, and the settings it was written with."""

from collections.abc import AsyncIterator

from palimpsest.model.clock import system_clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.runtime.settings import Mode, Settings, VectorsBackend
from palimpsest_server.stores.migrations.database_version import (
    DatabaseVersion,
    MongoDatabaseVersion,
)
from palimpsest_server.stores.migrations.index_differences import find_index_differences
from palimpsest_server.stores.migrations.start_decision import decide_start
from palimpsest_server.stores.migrations.steps import NEWEST_VERSION
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.host.database_preparation import (
    PLAIN_LEFT,
    build_migration_context,
    check_vectors_backend,
    verify_written_layout,
)
from services.host.diagnosis.finding import Finding, report_doubt, report_failure, report_ok

_SUBJECT = "database version"


async def check_database_version(database: MongoDatabase, settings: Settings) -> list[Finding]:
    """Check that services of this program would start on this database."""
    found, empty = await MongoDatabaseVersion(database).read_or_empty()
    if empty:
        return [report_ok(_SUBJECT, f"empty: it begins at version {NEWEST_VERSION}")]
    return [
        _check_version(found, settings),
        *[finding async for finding in _check_written_data(database, settings, found)],
    ]


def _check_version(found: DatabaseVersion | None, settings: Settings) -> Finding:
    version = 0 if found is None else found.version
    try:
        decide_start(version, empty=False, newest=NEWEST_VERSION, migrates=False)
    except PermanentError as error:
        if version < NEWEST_VERSION and settings.mode is Mode.EMBEDDED:
            words = f"at version {version}, and this program needs {NEWEST_VERSION}"
            return report_doubt(_SUBJECT, words, "`palimpsest run` brings it there by itself.")
        return report_failure(_SUBJECT, str(error), "Do as it says; until then no service starts.")
    return report_ok(_SUBJECT, f"at version {version}, which this program reads and writes")


async def _check_written_data(
    database: MongoDatabase, settings: Settings, found: DatabaseVersion | None
) -> AsyncIterator[Finding]:
    advice = "Do as it says; until then no service starts."
    try:
        await verify_written_layout(database, settings)
        if settings.vectors is not VectorsBackend.NONE:
            check_vectors_backend(found, settings.vectors)
    except PermanentError as error:
        yield report_failure("layout", str(error), advice)
        return
    differing = await find_index_differences(
        build_migration_context(database, settings, system_clock)
    )
    if differing:
        names = ", ".join(sorted(each.collection for each in differing))
        yield report_doubt(
            "indexes",
            f"those of {names} are not as this program declares them",
            "The next start makes what is missing; `palimpsest migrate` builds anew what changed.",
        )
    if found is not None and found.encrypted is False and database.sealing is not None:
        yield report_doubt("encryption", PLAIN_LEFT, "Nothing is to be done, if you know of it.")
