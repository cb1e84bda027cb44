"""Step 5: one memory in 32 gets the mark at which the embedded database cuts its lists into windows.

Memories that are written from now on get it at once. Without marks lists are right, but each page of a list
reads all memories of its user.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial

from pymongo import UpdateOne

from palimpsest_server.stores.migrations.migration_step import (
    DOCUMENTS_PER_BATCH,
    MigrationContext,
    StepBatch,
)
from palimpsest_server.stores.mongo.database import Document
from palimpsest_server.stores.mongo.window_marks import WINDOW_MARK, build_window_mark

_UNMARKED: Document = {WINDOW_MARK: {"$exists": False}}


@dataclass(frozen=True)
class WindowMarks:
    number: int = 5
    words: str = "one memory in 32 is marked, for lists to be read in parts"

    async def count(self, context: MigrationContext) -> int:
        return sum(
            [
                await context.database.raw(name).estimated_document_count()
                for name in await context.memory_collections()
            ]
        )

    async def batches(self, context: MigrationContext) -> AsyncIterator[StepBatch]:
        for name in await context.memory_collections():
            found = context.database.raw(name).find(dict(_UNMARKED), {"scope.user_id": 1})
            while documents := await found.to_list(DOCUMENTS_PER_BATCH):
                updates = [
                    UpdateOne({"_id": document["_id"]}, {"$set": mark})
                    for document in documents
                    if (mark := build_window_mark(document["_id"], document["scope"]["user_id"]))
                ]
                yield StepBatch(
                    seen=len(documents),
                    changed=len(updates),
                    write=partial(_write, context, name, updates),
                )


async def _write(context: MigrationContext, name: str, updates: Sequence[UpdateOne]) -> None:
    if updates:
        await context.database.raw(name).bulk_write(updates, ordered=False)
