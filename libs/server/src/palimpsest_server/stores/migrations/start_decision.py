"""Decide at the start of a process whether it may work on the database as it is."""

from enum import StrEnum

from palimpsest.model.errors import PermanentError


class DatabaseTooNew(PermanentError):
    """The database is at a version that this program does not know."""

    reason = "database_too_new"


class DatabaseTooOld(PermanentError):
    """The database is at an older version, and this process does not migrate it."""

    reason = "database_too_old"


class StartDecision(StrEnum):
    WORK = "work"
    BEGIN = "begin"
    """The database is empty: it begins at the newest version."""
    MIGRATE = "migrate"


def decide_start(found: int | None, *, empty: bool, newest: int, migrates: bool) -> StartDecision:
    """Decide what a process does with a database before it works on it.

    Args:
        found: the version stored in the database; None if there is none.
        empty: True if the database holds no document.
        newest: the version of this program.
        migrates: whether this process may migrate by itself.

    Raises:
        DatabaseTooNew: a newer program wrote the database.
        DatabaseTooOld: the database needs a migration, and this process may not migrate.
    """
    if found is None and empty:
        return StartDecision.BEGIN
    version = found or 0
    if version > newest:
        raise DatabaseTooNew(
            f"a newer Palimpsest has written this database: it is at version {version}, and this program"
            f" knows versions up to {newest}. Start the newer program again, or restore the backup that"
            " was made before its first start"
        )
    if version == newest:
        return StartDecision.WORK
    if migrates:
        return StartDecision.MIGRATE
    raise DatabaseTooOld(
        f"this database is at version {version}, and this program needs {newest}: stop every service,"
        " make a backup, run `palimpsest migrate`, start again. PALIMPSEST_MIGRATE_AT_START=true has"
        " services do it by themselves"
    )
