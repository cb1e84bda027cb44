"""What an index says is over goes, with or without a database that sees to it itself."""

from datetime import timedelta
from typing import Any

import pytest

from palimpsest_server.stores.collections import (
    COLLECTIONS,
    LEDGER,
    CollectionIndex,
    MongoCollection,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.turns import MORNING

EXPIRING = [
    (table, index)
    for table in COLLECTIONS
    for index in table.indexes
    if index.expire_after_seconds is not None
]
EXPIRING_TABLES = [table for table, _ in EXPIRING]

pytestmark = pytest.mark.embedded


@pytest.mark.parametrize(
    ("table", "index"), EXPIRING, ids=[f"{table.name} {index.name}" for table, index in EXPIRING]
)
async def test_what_is_over_is_deleted_and_nothing_else(
    database: MongoDatabase, table: MongoCollection, index: CollectionIndex
) -> None:
    assert index.expire_after_seconds is not None
    (field,) = (name for name, _ in index.keys)
    lasting = timedelta(seconds=index.expire_after_seconds)
    collection = database.collection(table)
    second = timedelta(seconds=1)
    # All in the future of whoever runs this: a server that sweeps by itself leaves them alone.
    now = MORNING.replace(year=2200)
    await collection.insert_many(
        [
            {"_id": "over", field: now - lasting - second},
            {"_id": "not yet", field: now - lasting + second},
            {"_id": "not begun", field: None},
            {"_id": "without"},
        ]
    )

    assert await database.delete_expired(now) == 1

    assert {left["_id"] async for left in collection.find()} == {"not yet", "not begun", "without"}
    assert await database.delete_expired(now) == 0


async def test_a_server_that_deleted_by_itself_no_longer_does_once_it_is_not_to(
    own_database: MongoDatabase, mongodb_url: str
) -> None:
    relieved = MongoDatabase(mongodb_url, own_database._database.name, deletes_expired=False)
    assert all([await _expiring(own_database.collection(table)) for table in EXPIRING_TABLES])

    await relieved.ensure_indexes()

    for table in EXPIRING_TABLES:
        assert not await _expiring(relieved.collection(table))
        names = {*await relieved.collection(table).index_information()}
        assert {index.name for index in table.indexes} <= names
    relieved.close()


async def _expiring(collection: Any) -> set[str]:
    indexes = await collection.index_information()
    return {name for name, options in indexes.items() if "expireAfterSeconds" in options}


async def test_an_index_that_was_given_up_is_dropped_where_it_still_stands(
    own_database: MongoDatabase,
) -> None:
    ledger = own_database.collection(LEDGER)
    await ledger.create_index([("state", 1), ("written_at", 1)], name=LEDGER.retired[0])

    await own_database.ensure_indexes()

    assert {*LEDGER.retired}.isdisjoint(await ledger.index_information())
    assert {index.name for index in LEDGER.indexes} <= {*await ledger.index_information()}
