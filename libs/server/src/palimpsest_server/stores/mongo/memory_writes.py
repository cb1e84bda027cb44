"""Writes of memories to MongoDB: the fields of a document, and the version that a write expects."""

from collections.abc import Sequence
from typing import Any

from pymongo import InsertOne, UpdateOne
from pymongo.errors import BulkWriteError

from palimpsest.model.memory import Memory, Status
from palimpsest_server.domain.consolidation.memory_keys import (
    KEY_RULES_VERSION,
    attribute_key,
    content_key,
    stored_keys,
)
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.memories import MemoryWrite
from palimpsest_server.stores.mongo.database import Document, to_document
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.mongo.window_marks import build_window_mark


async def apply_memory_writes(collection: Any, writes: Sequence[MemoryWrite]) -> int:
    """Write memories to their collection; return how many of them had lost an earlier write."""
    operations = [_operation(write) async for write in iterate_cooperatively(writes)]
    try:
        result = await collection.bulk_write(operations, ordered=False)
    except BulkWriteError as error:
        # A collision means that the memory exists already, which `_catch_up` looks at.
        require_only_duplicates(error)
    else:
        if result.inserted_count + result.matched_count == len(writes):
            return 0
    return await _catch_up(collection, writes)


async def _catch_up(collection: Any, writes: Sequence[MemoryWrite]) -> int:
    """Repeat unmatched writes: each was applied before, or has lost. Return how many have lost."""
    ids = [write.after.id for write in writes]
    found = collection.find({"_id": {"$in": ids}}, {"version": 1})
    standing = {document["_id"]: document["version"] async for document in found}
    behind = [write for write in writes if standing.get(write.after.id, 0) < write.after.version]
    if not behind:
        return 0
    try:
        await collection.bulk_write([_raised(write.after) for write in behind], ordered=False)
    except BulkWriteError as error:
        require_only_duplicates(error)
    return sum(standing.get(write.after.id, 0) < write.expected_version for write in behind)


def _document(memory: Memory) -> Document:
    values = stored_keys(memory)
    return {**_fields(memory), "_id": memory.id, **({"value_keys": values} if values else {})}


def _fields(memory: Memory) -> Document:
    attribute = attribute_key(memory)
    fields = {
        **to_document(memory),
        "content_key": content_key(memory),
        "key_rules": KEY_RULES_VERSION,
        # Most memories have no attribute key, and need no entry in its index.
        **({} if attribute is None else {"attribute_key": attribute}),
        **build_window_mark(memory.id, memory.scope.user_id),
    }
    del fields["_id"]
    return fields


def _update(memory: Memory) -> Document:
    """Return the update of a memory. Value keys are only added, as some memories' ids derive from old keys."""
    update: Document = {"$set": _fields(memory)}
    if memory.status is Status.PURGED:
        update["$unset"] = {"value_keys": ""}
    elif values := stored_keys(memory):
        update["$addToSet"] = {"value_keys": {"$each": values}}
    return update


def _operation(write: MemoryWrite) -> InsertOne[Document] | UpdateOne:
    if write.expected_version == 0:
        return InsertOne(_document(write.after))
    expected = {"_id": write.after.id, "version": write.expected_version}
    return UpdateOne(expected, _update(write.after))


def _raised(memory: Memory) -> UpdateOne:
    lower = {"_id": memory.id, "version": {"$lt": memory.version}}
    return UpdateOne(lower, _update(memory), upsert=True)
