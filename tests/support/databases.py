"""Databases of tests: made once for many, and emptied between them."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pymongo.monitoring

from palimpsest_server.stores.collections import COLLECTIONS
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.eventually import eventually
from tests.support.written_collections import WrittenCollections

_OF_THE_TABLE = {table.name for table in COLLECTIONS}

WRITTEN = WrittenCollections()
pymongo.monitoring.register(WRITTEN)  # Heard of every client that is made from here on.


@asynccontextmanager
async def indexed_database(
    url: str, masters: MasterKeys | None = None, *, embedded: bool = False
) -> AsyncIterator[MongoDatabase]:
    """One of its own, its indexes in place; it is dropped afterwards."""
    database = MongoDatabase(
        url, f"test_{uuid.uuid4().hex[:12]}", masters=masters, embedded=embedded
    )
    await database.ensure_indexes()
    WRITTEN.take(database._database.name)
    yield database
    await database.drop()
    database.close()


async def empty(database: MongoDatabase) -> None:
    """Delete what this process wrote, and every collection that no index of the table stands on."""
    names = WRITTEN.take(database._database.name)
    await asyncio.gather(*(_empty(database, name) for name in names))


async def empty_late(database: MongoDatabase) -> None:
    """Delete what the test before wrote until its loop was closed, once all of it has arrived."""
    name = database._database.name
    await eventually(lambda: not WRITTEN.is_written_to(name))
    await empty(database)


async def _empty(database: MongoDatabase, name: str) -> None:
    if name in _OF_THE_TABLE:
        await database._database[name].delete_many({})
    else:
        await database._database.drop_collection(name)
