"""Step 2: set aside documents whose ids are refused today.

Ids were once accepted blank, with control characters, or of any length. Nobody can ask for such a user,
agent or project any more. A document that cannot be read blocks the reading of all others found with
it. So it is copied unchanged to `set_aside`, and then deleted from its collection.
"""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pymongo import UpdateOne

from palimpsest.model.value_types import STORED, Identifier
from palimpsest_server.stores.collections import (
    CHANGE_SETS,
    COMMANDS,
    COMPLETIONS,
    ENTITIES,
    NAMESPACES,
    PROFILE_NEEDS,
    PROFILES,
    RECALLS,
    REQUESTS,
    SESSIONS,
    SET_ASIDE,
    SUMMARIES,
    SUMMARY_NEEDS,
    TODOS,
    TURNS,
    WINDOWS,
)
from palimpsest_server.stores.migrations.migration_step import (
    DOCUMENTS_PER_BATCH,
    MigrationContext,
    StepBatch,
)
from palimpsest_server.stores.mongo.database import Document

_IDS = frozenset({"user_id", "agent_id", "project_id", "session_id", "message_id", "reply_to"})
_PLACES = ("", "scope.", "namespace.", "evidence.", "changes.before.", "changes.after.")
_READ_AS_BEFORE = frozenset({"evidence", "changes", "reply_to"})
"""Ids inside these fields are only quoted. A blank quoted id can be read; other refused ids cannot."""

_COLLECTIONS = (
    *(TURNS, SESSIONS, WINDOWS, REQUESTS, TODOS, SUMMARIES, ENTITIES, PROFILES, PROFILE_NEEDS),
    *(SUMMARY_NEEDS, COMPLETIONS, RECALLS, CHANGE_SETS, COMMANDS),
    # Last, because it names the collections of memories, which are searched before.
    NAMESPACES,
)
_FIELDS: Mapping[str, int] = {
    **{f"{place}{name}": 1 for place in _PLACES for name in sorted(_IDS)},
    **{
        f"changes.{side}.{place}": 1
        for side in ("before", "after")
        for place in ("scope", "evidence")
    },
}
_IDENTIFIER: TypeAdapter[str] = TypeAdapter(Identifier)


@dataclass(frozen=True)
class RefusedIds:
    number: int = 2
    words: str = "documents under ids that are refused today are set aside"

    async def count(self, context: MigrationContext) -> int:
        return sum(
            [
                await context.database.raw(name).estimated_document_count()
                for name in await _collection_names(context)
            ]
        )

    async def batches(self, context: MigrationContext) -> AsyncIterator[StepBatch]:
        for name in await _collection_names(context):
            found = context.database.raw(name).find({}, dict(_FIELDS))
            while documents := await found.to_list(DOCUMENTS_PER_BATCH):
                reasons = {
                    document["_id"]: reason
                    for document in documents
                    if (reason := find_refused_id(document)) is not None
                }
                write = partial(_set_aside, context, name, reasons)
                yield StepBatch(seen=len(documents), changed=len(reasons), write=write)


def find_refused_id(document: Mapping[str, Any], *, quoted: bool = False) -> str | None:
    """Return the name of the first id of a document that is refused today; None if all are fine.

    Args:
        document: the document as stored; values other than ids are not checked.
        quoted: True if its ids are only quoted.
    """
    for name, value in document.items():
        as_before = quoted or name in _READ_AS_BEFORE
        if name in _IDS and isinstance(value, str):
            if not _is_accepted(value, as_before=as_before):
                return name
            continue
        for part in value if isinstance(value, list) else (value,):
            if isinstance(part, Mapping) and (found := find_refused_id(part, quoted=as_before)):
                return found
    return None


def _is_accepted(value: str, *, as_before: bool) -> bool:
    try:
        _IDENTIFIER.validate_python(value, context=STORED if as_before else None)
    except ValidationError:
        return False
    return True


async def _collection_names(context: MigrationContext) -> list[str]:
    return [*await context.memory_collections(), *(table.name for table in _COLLECTIONS)]


async def _set_aside(context: MigrationContext, name: str, reasons: Mapping[Any, str]) -> None:
    if not reasons:
        return
    collection = context.database.raw(name)
    found = collection.find({"_id": {"$in": list(reasons)}})
    copies = [_copy(name, document, reasons, context) async for document in found]
    await context.database.raw(SET_ASIDE.name).bulk_write(copies, ordered=False)
    await collection.delete_many({"_id": {"$in": list(reasons)}})


def _copy(
    name: str, document: Document, reasons: Mapping[Any, str], context: MigrationContext
) -> UpdateOne:
    scope = document.get("scope") or document.get("namespace") or {}
    copy = {
        "user_id": document.get("user_id") or scope.get("user_id"),
        "collection": name,
        "record_id": document["_id"],
        "refused": reasons[document["_id"]],
        "at": context.clock(),
        "document": document,
    }
    # If the step is interrupted before the document is deleted, the next run finds it again.
    return UpdateOne({"_id": f"{name}/{document['_id']}"}, {"$setOnInsert": copy}, upsert=True)
