"""The consolidator erases the contents of its history: change sets, counters, todos, traces of recalls."""

from collections.abc import Sequence

from palimpsest.model.change_set import ChangeSet, ChangeSetProgress
from palimpsest.model.identifiers import derive_id
from palimpsest_server.domain.consolidation.tombstones import ERASED_REASON, strip_erased_history
from palimpsest_server.stores.collections import (
    ACCESSES,
    CHANGE_SETS,
    ENTITIES,
    RECALLS,
    REPORTS,
    TODOS,
    WITHHELD,
)
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erased_text import ERASED_TEXT
from palimpsest_server.stores.mongo.chunked_writes import (
    DOCUMENTS_PER_CHUNK,
    delete_in_chunks,
    update_in_chunks,
)
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)


class HistoryEraser:
    """Erase contents from change sets; the author and the time of each change stay."""

    def __init__(self, database: MongoDatabase) -> None:
        self._change_sets = database.collection(CHANGE_SETS)
        self._accesses = database.collection(ACCESSES)
        self._recalls = database.collection(RECALLS)
        self._todos = database.collection(TODOS)
        self._entities = database.collection(ENTITIES)
        self._reports = database.collection(REPORTS)
        self._withheld = database.collection(WITHHELD)

    async def erase(self, decided: DecidedErasure) -> None:
        erasure = decided.erasure
        if erasure.everything:
            await self._erase_all(decided)
            return
        if erasure.memory_ids:
            await self._erase_memories(decided)
        await self._unsay_questions(decided)
        await self._erase_summaries_and_profiles(decided)

    async def _erase_all(self, decided: DecidedErasure) -> None:
        before = {"user_id": decided.user_id, "revision": {"$lt": decided.revision}}
        gone: Document = {
            "changes": [],
            "memory_ids": [],
            "reason": ERASED_REASON,
            "refusal": None,
            "progress": ChangeSetProgress.ANNOUNCED.value,
        }
        with_content = {
            **before,
            "$or": [{"changes.0": {"$exists": True}}, {"reason": {"$ne": ERASED_REASON}}],
        }
        await update_in_chunks(
            self._change_sets,
            with_content,
            {"$set": gone, "$unset": {"vectors": "", "unfinished": ""}},
        )
        older: Document = {"user_id": decided.user_id, "epoch": {"$lt": decided.erasure.epoch}}
        await delete_in_chunks(self._todos, older)
        named = {"namespace.user_id": decided.user_id, "epoch": older["epoch"]}
        await delete_in_chunks(self._entities, named)
        await delete_in_chunks(self._reports, {"user_id": decided.user_id})
        await delete_in_chunks(self._withheld, older)
        since = {"$lte": decided.decided_at}
        await delete_in_chunks(self._accesses, {"user_id": decided.user_id, "last_at": since})
        await delete_in_chunks(self._recalls, {"user_id": decided.user_id, "at": since})

    async def _erase_memories(self, decided: DecidedErasure) -> None:
        ids = list(decided.erasure.memory_ids)
        await self._unsay({"memory_ids": {"$in": ids}}, decided, ids)
        counters = [derive_id("accesses", decided.user_id, each) for each in ids]
        await delete_in_chunks(self._accesses, {"_id": {"$in": counters}})
        await delete_in_chunks(self._todos, {"_id": {"$in": ids}, "user_id": decided.user_id})

    async def _unsay_questions(self, decided: DecidedErasure) -> None:
        """Erase the questions of recalls that returned erased records."""
        erasure = decided.erasure
        ids = [*erasure.memory_ids, *erasure.turn_ids, *erasure.summary_ids]
        for start in range(0, len(ids), DOCUMENTS_PER_CHUNK):
            returned = {
                "user_id": decided.user_id,
                "results.id": {"$in": ids[start : start + DOCUMENTS_PER_CHUNK]},
            }
            await update_in_chunks(
                self._recalls,
                {**returned, "query": {"$ne": ERASED_TEXT}},
                {"$set": {"query": ERASED_TEXT}},
            )

    async def _erase_summaries_and_profiles(self, decided: DecidedErasure) -> None:
        ids = list(decided.erasure.summary_ids)
        summaries = {
            "user_id": decided.user_id,
            "changes.record": {"$in": ["summary", "profile"]},
            "revision": {"$lt": decided.revision},
        }
        project = decided.erasure.project_id
        if project is not None:
            async for document in self._change_sets.find(summaries, {"changes": 1}):
                after = [change.get("after") or {} for change in document["changes"]]
                ids += [
                    each["id"] for each in after if _project_of(each) == project and "id" in each
                ]
        await self._unsay(summaries, decided, ids)

    async def _unsay(self, which: Document, decided: DecidedErasure, ids: Sequence[str]) -> None:
        for document in await self._change_sets.find(which).to_list(None):
            change_set = from_document(ChangeSet, document)
            unsaid = strip_erased_history(change_set, ids)
            if document["user_id"] != decided.user_id or unsaid.changes == change_set.changes:
                continue
            fields = to_document(unsaid)
            kept = [each for each in document.get("vectors", ()) if each["memory_id"] not in ids]
            change: Document = {"changes": fields["changes"], "reason": fields["reason"]}
            if "vectors" in document:
                change["vectors"] = kept
            await self._change_sets.update_one({"_id": document["_id"]}, {"$set": change})


def _project_of(record: Document) -> str | None:
    project: str | None = (record.get("scope") or {}).get("project_id")
    return project
