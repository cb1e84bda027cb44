"""How commands reach what they work on: the servers, a running instance's, or ones just started."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import SecretStr

from palimpsest.domain.errors import PermanentError
from palimpsest.embedded import instance
from palimpsest.embedded.servers import DATABASE_PORT, EmbeddedServers
from palimpsest.runtime.database import database_of
from palimpsest.runtime.settings import Mode, Settings
from palimpsest.stores.mongo import MongoDatabase
from services.host.embedded import EMBEDDED_OVERRIDES


def of_running(settings: Settings) -> Settings | None:
    """The addresses of the instance that serves the data directory; None where none runs."""
    if settings.mode is Mode.SERVER:
        return settings
    running = instance.find(settings.data_directory)
    if running is None:
        return None
    addresses = {
        "kafka_bootstrap_servers": running.kafka_bootstrap_servers,
        "mongodb_url": SecretStr(running.mongodb_url),
    }
    return settings.model_copy(update=EMBEDDED_OVERRIDES | addresses)


def with_kafka(settings: Settings) -> Settings:
    """Settings by which Kafka is reached.

    Raises:
        PermanentError: it is the embedded one, and it does not run.
    """
    reached = of_running(settings)
    if reached is None:
        raise PermanentError(
            f"No Palimpsest is running on {settings.data_directory}, and with it goes its broker."
            " Start it with `palimpsest run` and try again beside it."
        )
    return reached


@asynccontextmanager
async def with_database(settings: Settings) -> AsyncIterator[Settings]:
    """Settings by which MongoDB is reached; the embedded one is started where it does not run.

    Raises:
        DataDirectoryInUse: an instance is just starting or stopping.
        ChildFailed: the database would not start.
    """
    reached = of_running(settings)
    if reached is not None:
        yield reached
        return
    async with alone(settings) as started:
        yield started


@asynccontextmanager
async def alone(settings: Settings) -> AsyncIterator[Settings]:
    """The same, with the embedded data directory to ourselves.

    Raises:
        DataDirectoryInUse: an instance works on it; it must be stopped first.
        ChildFailed: the database would not start.
    """
    if settings.mode is Mode.SERVER:
        yield settings
        return
    servers = EmbeddedServers(settings.data_directory, database_port=DATABASE_PORT)
    await servers.start(broker=False)
    try:
        url = {"mongodb_url": SecretStr(servers.mongodb_url)}
        yield settings.model_copy(update=EMBEDDED_OVERRIDES | url)
    finally:
        await servers.stop()


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[MongoDatabase]:
    """The database, with the keys to what is sealed in it; closed at the end.

    Raises:
        PermanentError: the address cannot be read, or a key is none.
    """
    database = database_of(settings)
    try:
        yield database
    finally:
        database.close()
