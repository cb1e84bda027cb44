"""A page of a list reads about as much whatever else its user has."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest_server.stores.collections import MEMORIES
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.mongo.list_filter import ListFilter, SharedCollection
from palimpsest_server.stores.mongo.list_windows import find_newest_in_windows
from palimpsest_server.stores.mongo.memory_lists import ListPlace
from palimpsest_server.stores.mongo.window_marks import WINDOW_MARK, build_window_mark
from tests.support.databases import indexed_database

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
ANN = SharedCollection.of([Scope(user_id="ann")])
EVERY_STATUS = ListFilter.of()


class ReadCounter:
    """A collection that notes what it is asked, to tell how many documents each query finds."""

    def __init__(self, database: MongoDatabase) -> None:
        self._database = database._database
        self._collection = database.raw(MEMORIES.name)
        self.queries: list[Document] = []

    def find(self, query: Document, *fields: Any) -> Any:
        if WINDOW_MARK not in query:
            self.queries.append(query)
        return self._collection.find(query, *fields)

    async def count_read(self) -> int:
        """Return how many documents these queries read: all that is within the range of an index."""
        read = 0
        for query in self.queries:
            asked = {"find": MEMORIES.name, "filter": query}
            told = await self._database.command({"explain": asked, "verbosity": "executionStats"})
            plan = told["queryPlanner"]["winningPlan"]
            index = plan["inputStage"]
            assert index["stage"] == "IXSCAN"
            # The native database looks once more at what an index says is null.
            beside_index = plan.get("filter", {}).keys() - index["keyPattern"].keys()
            assert not beside_index, "more is read than is found"
            read += told["executionStats"]["totalDocsExamined"]
        return read


@pytest.fixture
async def database(mongodb_url: str) -> AsyncIterator[MongoDatabase]:
    async with indexed_database(mongodb_url, embedded=True) as own:
        yield own


def stored(number: int, at: datetime, **fields: Any) -> Document:
    memory_id = f"memory {number}"
    return {
        "_id": memory_id,
        "scope": {"user_id": "ann", "agent_id": None, "project_id": None},
        "recorded_at": at,
        "status": Status.ACTIVE.value,
        "kind": Kind.FACT.value,
        **build_window_mark(memory_id, "ann"),
        **fields,
    }


async def read_page(database: MongoDatabase, which: ListFilter) -> tuple[list[str], int]:
    counter = ReadCounter(database)
    found = await find_newest_in_windows(counter, ANN, which, limit=50, after=None)
    return [one["_id"] for one in found], await counter.count_read()


@pytest.mark.parametrize("which", [EVERY_STATUS, ListFilter.of({Status.ACTIVE})])
async def test_the_newest_page_of_a_burst_long_ago_reads_a_few_windows(
    database: MongoDatabase, which: ListFilter
) -> None:
    """An import records all of a year within seconds, and nothing comes after it for months."""
    memories = database.raw(MEMORIES.name)
    read: list[int] = []
    for extent in (250, 2_000):
        batch = [
            stored(number, BEGUN + timedelta(milliseconds=number))
            for number in range(len(read) and 250, extent)
        ]
        await memories.insert_many(batch)
        ids, documents = await read_page(database, which)
        assert ids == [f"memory {extent - 1 - number}" for number in range(50)]
        read.append(documents)
    assert max(read) < 250


async def test_few_of_a_status_are_found_without_reading_the_others(
    database: MongoDatabase,
) -> None:
    memories = database.raw(MEMORIES.name)
    await memories.insert_many(
        [stored(number, BEGUN + timedelta(seconds=number)) for number in range(500)]
    )
    await memories.insert_one(stored(500, BEGUN, status=Status.PENDING.value))
    assert await read_page(database, ListFilter.of({Status.PENDING})) == (["memory 500"], 1)


async def test_pages_go_on_among_memories_of_one_instant_at_a_mark(
    database: MongoDatabase,
) -> None:
    memories = [stored(number, BEGUN + timedelta(seconds=number // 40)) for number in range(400)]
    await database.raw(MEMORIES.name).insert_many(memories)
    collection, place, ids = database.raw(MEMORIES.name), None, list[str]()
    while page := await find_newest_in_windows(collection, ANN, EVERY_STATUS, limit=7, after=place):
        ids += [one["_id"] for one in page]
        place = ListPlace(page[-1]["recorded_at"], page[-1]["_id"])
    in_order = sorted(memories, key=lambda one: (-one["recorded_at"].timestamp(), one["_id"]))
    assert ids == [one["_id"] for one in in_order]
