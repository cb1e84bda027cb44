"""Documents of a test are gone before the next test, though only written collections are emptied."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from palimpsest_server.stores.collections import COLLECTIONS, MODEL_CALLS, SUMMARIES
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.databases import WRITTEN, empty, empty_late
from tests.support.written_collections import UnknownWrite

pytestmark = pytest.mark.embedded

_TABLE = {table.name for table in COLLECTIONS}


async def test_every_kind_of_write_is_noted(database: MongoDatabase) -> None:
    raw = database._database
    await database.collection(SUMMARIES).insert_one({"_id": "1", "text": "tea"})
    await database.beside().collection(MODEL_CALLS).insert_one({"_id": "1"})
    await raw["updated"].update_one({"_id": "1"}, {"$set": {"a": 1}}, upsert=True)
    await raw["replaced"].find_one_and_replace({"_id": "1"}, {"a": 1}, upsert=True)
    await raw["indexed"].create_index("a")
    await raw.create_collection("created")

    await empty(database)

    left = await raw.list_collection_names()
    assert set(left) <= _TABLE
    assert [name for name in left if await raw[name].find_one()] == []


async def test_a_collection_is_emptied_each_time(database: MongoDatabase) -> None:
    collection = database.collection(SUMMARIES)
    for _ in range(2):
        await collection.insert_one({"_id": "1", "text": "tea"})
        await empty(database)
        assert await collection.find_one() is None


async def test_a_write_that_has_not_ended_is_waited_for(database: MongoDatabase) -> None:
    collection = database.collection(SUMMARIES)
    begun: Any = SimpleNamespace(
        command_name="insert",
        command={"insert": SUMMARIES.name},
        database_name=database._database.name,
        connection_id="of nobody",
        request_id=1,
    )
    WRITTEN.started(begun)
    emptying = asyncio.create_task(empty_late(database))
    await collection.insert_one({"_id": "1", "text": "tea"})
    assert not emptying.done()
    WRITTEN.succeeded(begun)
    await emptying
    assert await collection.find_one() is None


async def test_a_write_nobody_can_judge_is_refused(own_database: MongoDatabase) -> None:
    await own_database._database[SUMMARIES.name].aggregate([{"$out": "x"}]).to_list(None)

    with pytest.raises(UnknownWrite):
        await empty(own_database)
