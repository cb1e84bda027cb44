"""Connections of commands: to given servers, to a running instance, or to servers started for them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import SecretStr

from palimpsest.model.errors import PermanentError
from palimpsest_server.embedded import instance
from palimpsest_server.embedded.embedded_servers import DATABASE_PORT, EmbeddedServers
from palimpsest_server.runtime.database import open_database
from palimpsest_server.runtime.settings import Mode, Settings
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.host.database_preparation import require_known_version
from services.host.embedded_mode import EMBEDDED_OVERRIDES


def find_running_settings(settings: Settings) -> Settings | None:
    """Return settings with the addresses of the instance on the data directory; None if none runs."""
    if settings.mode is Mode.SERVER:
        return settings
    running = instance.find_instance(settings.data_directory)
    if running is None:
        return None
    addresses = {
        "kafka_bootstrap_servers": running.kafka_bootstrap_servers,
        "mongodb_url": SecretStr(running.mongodb_url),
    }
    return settings.model_copy(update=EMBEDDED_OVERRIDES | addresses)


def require_kafka_settings(settings: Settings) -> Settings:
    """Return settings by which Kafka is reached.

    Raises:
        PermanentError: Kafka is the embedded broker, and it does not run.
    """
    reached = find_running_settings(settings)
    if reached is None:
        raise PermanentError(
            f"No Palimpsest is running on {settings.data_directory}, and with it goes its broker."
            " Start it with `palimpsest run` and try again beside it."
        )
    return reached


@asynccontextmanager
async def start_database_if_needed(settings: Settings) -> AsyncIterator[Settings]:
    """Yield settings by which MongoDB is reached; an embedded database that does not run is started.

    Raises:
        DataDirectoryInUse: an instance is just starting or stopping.
        ChildServerFailed: the database would not start.
    """
    reached = find_running_settings(settings)
    if reached is not None:
        yield reached
        return
    async with start_database_exclusively(settings) as started:
        yield started


@asynccontextmanager
async def start_database_exclusively(settings: Settings) -> AsyncIterator[Settings]:
    """Yield settings by which MongoDB is reached, with exclusive use of an embedded data directory.

    Raises:
        DataDirectoryInUse: an instance works on it; it must be stopped first.
        ChildServerFailed: the database would not start.
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
async def open_command_database(settings: Settings) -> AsyncIterator[MongoDatabase]:
    """Open the database with the keys of sealed content; it is closed at the end.

    Raises:
        PermanentError: the address or a key is invalid, or another version wrote the database.
        TransientError: the database does not answer.
    """
    database = open_database(settings)
    try:
        await database.ping()
        await require_known_version(database)
        yield database
    finally:
        database.close()
