"""Step 4: changes that were stored without their conversation get the one that their evidence names.

By it the changes of a conversation are listed, and taken back together. A window is of one
conversation, so the evidence that a change adds is of one too: where it is of several, or of none,
the change stays as it is.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pymongo import UpdateOne

from palimpsest_server.stores.collections import CHANGE_SETS
from palimpsest_server.stores.migrations.migration_step import (
    DOCUMENTS_PER_BATCH,
    MigrationContext,
    StepBatch,
)
from palimpsest_server.stores.mongo.database import Document

_WITHOUT_SESSION: Document = {
    "cause.type": {"$in": ["CandidatesProposed", "SummaryProposed"]},
    "cause.session_id": None,
}


@dataclass(frozen=True)
class ChangeSetSessions:
    number: int = 4
    words: str = "changes without a conversation get the one that their evidence names"

    async def count(self, context: MigrationContext) -> int:
        change_sets = context.database.collection(CHANGE_SETS)
        return int(await change_sets.count_documents(dict(_WITHOUT_SESSION)))

    async def batches(self, context: MigrationContext) -> AsyncIterator[StepBatch]:
        change_sets = context.database.collection(CHANGE_SETS)
        found = change_sets.find(dict(_WITHOUT_SESSION), {"changes": 1})
        while documents := await found.to_list(DOCUMENTS_PER_BATCH):
            updates = [
                UpdateOne({"_id": document["_id"]}, {"$set": {"cause.session_id": session_id}})
                for document in documents
                if (session_id := find_session_id(document["changes"])) is not None
            ]
            yield StepBatch(
                seen=len(documents),
                changed=len(updates),
                write=partial(_write, context, updates),
            )


def find_session_id(changes: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the one conversation of the evidence and summaries that changes add; else None."""
    session_ids = {session_id for change in changes for session_id in _list_added(change)}
    return session_ids.pop() if len(session_ids) == 1 else None


def _list_added(change: Mapping[str, Any]) -> Iterator[str]:
    before, after = change.get("before") or {}, change["after"]
    if change.get("record") == "summary":
        yield after["session_id"]
        return
    known = {evidence.get("message_id") for evidence in before.get("evidence") or ()}
    for evidence in after.get("evidence") or ():
        if evidence.get("session_id") and evidence.get("message_id") not in known:
            yield evidence["session_id"]


async def _write(context: MigrationContext, updates: Sequence[UpdateOne]) -> None:
    if updates:
        await context.database.collection(CHANGE_SETS).bulk_write(updates, ordered=False)
