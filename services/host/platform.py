"""The platform that the services of a process share: opened in order, closed in reverse."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector

from palimpsest.model.clock import Clock, system_clock
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.runtime.database import open_database
from palimpsest_server.runtime.opentelemetry_tracing import trace_process
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.settings import Mode, Settings
from palimpsest_server.runtime.vector_backends import build_vector_store, find_vector_backend
from palimpsest_server.stores.erasure.backup_recovery import reapply_erasures
from palimpsest_server.stores.migrations.database_version import MongoDatabaseVersion
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.vectors import VectorStore
from services.host.database_preparation import prepare_database, verify_written_data
from services.host.service_registry import SEARCHING_SERVICES
from services.host.wait_for_servers import wait_for_server

Say = Callable[[str], None]


def build_platform(
    settings: Settings,
    services: Sequence[str],
    embedder: Embedder,
    clock: Clock = system_clock,
) -> Platform:
    """Build the platform that these services need, without opening anything."""
    searching = bool(SEARCHING_SERVICES & set(services))
    database = open_database(settings)
    return Platform(
        settings=settings,
        clock=clock,
        database=database,
        embedder=embedder,
        vectors=build_vector_store(settings, embedder.model, database, searching=searching),
        registry=_registry(),
    )


def renew_platform(platform: Platform, settings: Settings, log_generation: int) -> Platform:
    """Build a platform for services that replace others on the same open connections.

    Args:
        platform: the platform of the services that are replaced.
        settings: the settings, with the broker's address, which may have changed.
        log_generation: the number of the broker's log; these services read no other log.
    """
    return replace(platform, settings=settings, registry=_registry(), log_generation=log_generation)


@asynccontextmanager
async def open_platform(
    settings: Settings,
    services: Sequence[str],
    embedder: Embedder,
    *,
    say: Say,
    clock: Clock = system_clock,
) -> AsyncIterator[Platform]:
    """Open the platform: database reached and indexed, vectors open. The embedder is not started here.

    Servers given by address are waited for without a limit.

    Raises:
        TransientError: an embedded database does not answer.
        PermanentError: version, layout, embedding model or backend of vectors differ from the
            data's.
    """
    platform = build_platform(settings, services, embedder, clock)
    async with AsyncExitStack() as stack:
        stack.enter_context(trace_process(settings))
        stack.callback(platform.database.close)
        await _ready(platform.database, settings, say, clock)
        say("the database answers")
        await verify_written_data(platform.database, settings, services, model=embedder.model.slug)
        if again := await reapply_erasures(platform.database, now=clock()):
            say(f"of {again} users came back what they had forgotten; it goes once more")
        if platform.vectors is not None:
            await _open_vectors(platform.vectors, settings, say)
            stack.push_async_callback(platform.vectors.close)
            if "consolidator" in services:
                await MongoDatabaseVersion(platform.database).note_vectors(settings.vectors.value)
            say("the vectors are open")
        yield platform


async def _open_vectors(vectors: VectorStore, settings: Settings, say: Say) -> None:
    backend = find_vector_backend(settings)
    if backend is not None and (done := await backend.prepare(settings)):
        say(done)
    if backend is not None and backend.is_server:
        await wait_for_server(vectors.open, say=say)
    else:
        await vectors.open()


async def _ready(database: MongoDatabase, settings: Settings, say: Say, clock: Clock) -> None:
    # The embedded database is a child of this process: if it does not answer, waiting does not
    # help.
    if settings.mode is Mode.SERVER:
        await wait_for_server(database.ping, say=say)
        await prepare_database(database, settings, say=say, clock=clock)
        await wait_for_server(database.ensure_keys, say=say)
    else:
        await database.ping()
        await prepare_database(database, settings, say=say, clock=clock)
        await database.ensure_keys()


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry
