"""Memories of before are marked as those are that are written today."""

from palimpsest.model.scope import Layout
from palimpsest_server.stores.collections import MEMORIES
from palimpsest_server.stores.migrations.migration_step import MigrationContext
from palimpsest_server.stores.migrations.steps.step_005_window_marks import WindowMarks
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.window_marks import WINDOW_MARK
from tests.support.clock import SettableClock
from tests.support.server.stores.memories import added, memory


async def test_the_same_memories_are_marked_by_the_migration_and_by_a_write(
    database: MongoDatabase, clock: SettableClock
) -> None:
    memories = [memory(f"fact {number}") for number in range(200)]
    await MongoMemories(database).apply(added(*memories))
    stored = database.raw(MEMORIES.name)
    marked = {"_id": 1, WINDOW_MARK: 1}
    by_write = await stored.find({WINDOW_MARK: {"$exists": True}}, marked).to_list(None)
    assert {one[WINDOW_MARK] for one in by_write} == {"alice"}
    await stored.update_many({}, {"$unset": {WINDOW_MARK: ""}})
    context = MigrationContext(database=database, layout=Layout.POOLED, clock=clock)
    changed = 0
    async for batch in WindowMarks().batches(context):
        await batch.write()
        changed += batch.changed
    assert changed == len(by_write)
    by_migration = await stored.find({WINDOW_MARK: {"$exists": True}}, marked).to_list(None)
    assert sorted(by_migration, key=str) == sorted(by_write, key=str)
