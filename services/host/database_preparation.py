"""Prepares the database before anything works on it: version, indexes and layout."""

import os
import socket
import uuid
from collections.abc import Callable, Collection
from functools import partial
from importlib.metadata import version

from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.runtime.settings import Mode, Settings, VectorsBackend
from palimpsest_server.stores.migrations.database_version import (
    DatabaseVersion,
    MongoDatabaseVersion,
)
from palimpsest_server.stores.migrations.migrate_database import StepReport, migrate_database
from palimpsest_server.stores.migrations.migration_step import MigrationContext
from palimpsest_server.stores.migrations.start_decision import StartDecision, decide_start
from palimpsest_server.stores.migrations.steps import NEWEST_VERSION
from palimpsest_server.stores.mongo.database import MongoDatabase, OtherIndexes
from palimpsest_server.stores.namespaces import MongoNamespaces
from services.host.service_registry import SEARCHING_SERVICES
from services.host.wait_for_servers import wait_for_server

Say = Callable[[str], None]

LAYOUT_SERVICES = frozenset({"consolidator", "recall", "console"})
"""Services that read or write memories, and so depend on the layout."""

MODEL_SERVICES = frozenset({"consolidator", "recall", "embedder"})
"""Services whose embedding model is compared with the model of the stored vectors."""

PLAIN_LEFT = (
    "this database began without PALIMPSEST_ENCRYPTION_KEY: what was stored before it was set is not"
    " encrypted until it is written again"
)


class VectorsMoved(PermanentError):
    """The vectors lie in another backend than the one configured."""

    reason = "vectors_moved"


def build_migration_context(
    database: MongoDatabase, settings: Settings, clock: Clock
) -> MigrationContext:
    return MigrationContext(database=database, layout=settings.layout, clock=clock)


def name_lease_owner(settings: Settings) -> str:
    """Return a name of this process; always the same when embedded, as the data directory is locked."""
    if settings.mode is Mode.EMBEDDED:
        return "embedded"
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def name_program() -> str:
    return version("palimpsest-server")


async def prepare_database(
    database: MongoDatabase, settings: Settings, *, say: Say, clock: Clock
) -> None:
    """Bring the database to the version of this program, with the indexes it needs.

    Raises:
        DatabaseTooNew: a newer program wrote it.
        DatabaseTooOld: it is older, and this process does not migrate.
        OtherIndexes: its indexes are older, and this process does not migrate.
    """
    bring = partial(_bring_up_to_date, database, settings, say, clock)
    # Only a server may be away, or be migrated by another process just now.
    await (wait_for_server(bring, say=say) if settings.mode is Mode.SERVER else bring())


async def _bring_up_to_date(
    database: MongoDatabase, settings: Settings, say: Say, clock: Clock
) -> None:
    versions = MongoDatabaseVersion(database)
    found, empty = await versions.read_or_empty()
    encrypted = database.sealing is not None
    migrates = settings.mode is Mode.EMBEDDED or settings.migrate_at_start
    decision = decide_start(
        None if found is None else found.version,
        empty=empty,
        newest=NEWEST_VERSION,
        migrates=migrates,
    )
    if decision is StartDecision.BEGIN:
        await versions.begin_at(NEWEST_VERSION, encrypted=encrypted)
    elif decision is StartDecision.MIGRATE:
        await _migrate(database, settings, say, clock)
    elif found is not None and found.encrypted is False and encrypted:
        say(PLAIN_LEFT)
    try:
        await database.ensure_indexes()
    except OtherIndexes as error:
        if not migrates:
            raise
        say(str(error))
        await _migrate(database, settings, say, clock)


async def _migrate(database: MongoDatabase, settings: Settings, say: Say, clock: Clock) -> None:
    told: set[int] = set()

    def tell(step: StepReport) -> None:
        if step.number not in told:
            told.add(step.number)
            say(f"step {step.number} of {NEWEST_VERSION}: {step.words}")

    say(f"the database is of an older version; it is brought to version {NEWEST_VERSION}")
    report = await migrate_database(
        build_migration_context(database, settings, clock),
        owner=name_lease_owner(settings),
        program=name_program(),
        progress=tell,
    )
    changed = sum(step.changed for step in report.steps)
    say(f"the database is at version {report.version}; {changed} documents were changed")


async def verify_written_data(
    database: MongoDatabase, settings: Settings, services: Collection[str], *, model: str
) -> None:
    """Refuse to work on data that other settings wrote, as far as these services depend on them.

    Raises:
        NamespaceMismatch: memories are stored in the other layout.
        EmbeddingModelMismatch: another model made the vectors.
        VectorsMoved: the vectors are in another backend.
    """
    if MODEL_SERVICES & {*services}:
        await MongoNamespaces(database, layout=settings.layout, model=model).verify()
    elif LAYOUT_SERVICES & {*services}:
        await verify_written_layout(database, settings)
    if SEARCHING_SERVICES & {*services} and settings.vectors is not VectorsBackend.NONE:
        check_vectors_backend(await MongoDatabaseVersion(database).read(), settings.vectors)


async def verify_written_layout(database: MongoDatabase, settings: Settings) -> None:
    """Refuse to read memories that are stored in another layout.

    Raises:
        NamespaceMismatch: memories are stored in the other layout.
    """
    await MongoNamespaces(database, layout=settings.layout, model="").verify_layout()


def check_vectors_backend(standing: DatabaseVersion | None, configured: VectorsBackend) -> None:
    """Refuse a backend of vectors if the stored vectors are in another one.

    Raises:
        VectorsMoved: names both backends.
    """
    written = None if standing is None else standing.vectors
    if written not in (None, configured.value):
        raise VectorsMoved(
            f"the vectors of this database were written with PALIMPSEST_VECTORS={written}, and"
            f" {configured.value} is configured, where none are: set it back, or make them there with"
            " `palimpsest reindex`"
        )


async def require_known_version(database: MongoDatabase) -> None:
    """Refuse a command on a database of another version. Nothing is written.

    Raises:
        DatabaseTooNew: a newer program wrote it.
        DatabaseTooOld: an older program wrote it.
    """
    found = await MongoDatabaseVersion(database).read()
    if found is not None:
        decide_start(found.version, empty=False, newest=NEWEST_VERSION, migrates=False)
