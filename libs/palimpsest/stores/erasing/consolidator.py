"""The consolidator erases memories with their history, counters, todos and vectors."""

from collections.abc import Iterable, Sequence
from typing import Any

from palimpsest.contracts.collections import (
    ACCESSES,
    CHANGE_SETS,
    ENTITIES,
    PROFILES,
    RECALLS,
    REPORTS,
    SUMMARIES,
    TODOS,
    TURNS,
    WITHHELD,
)
from palimpsest.domain.change_set import ChangeSet, MemoryChange, Progress
from palimpsest.domain.erasure import Erasure
from palimpsest.domain.evolution.erasing import ERASED, history_unsaid, tombstone
from palimpsest.domain.identifiers import derive
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.scope import Scope
from palimpsest.domain.summaries.summary import CHAT_SERVICE
from palimpsest.stores.erasing.chunks import AT_ONCE, delete_all, update_all
from palimpsest.stores.erasing.texts import ERASED_TEXT
from palimpsest.stores.erasures import DecidedErasure
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.mongo import Document, MongoDatabase, from_document, to_document
from palimpsest.stores.namespaces import NamespaceRegistry
from palimpsest.stores.vectors import VectorStore


class MemoryEraser:
    """Tombstones of all memories of an older epoch. Those that are named have theirs already."""

    def __init__(self, memories: MemoryStore, namespaces: NamespaceRegistry) -> None:
        self._memories = memories
        self._namespaces = namespaces

    async def erase(self, decided: DecidedErasure) -> None:
        if not decided.erasure.everything:
            return
        for namespace in await self._namespaces.of_user(decided.user_id):
            async for page in self._memories.pages(namespace, size=AT_ONCE):
                await self._memories.apply(list(_erased(page, decided.erasure)))


class HistoryEraser:
    """That something changed stays, with who and when; not what it was, nor why."""

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
            "reason": ERASED,
            "refusal": None,
            "progress": Progress.ANNOUNCED.value,
        }
        with_content = {
            **before,
            "$or": [{"changes.0": {"$exists": True}}, {"reason": {"$ne": ERASED}}],
        }
        await update_all(
            self._change_sets,
            with_content,
            {"$set": gone, "$unset": {"vectors": "", "unfinished": ""}},
        )
        older: Document = {"user_id": decided.user_id, "epoch": {"$lt": decided.erasure.epoch}}
        await delete_all(self._todos, older)
        named = {"namespace.user_id": decided.user_id, "epoch": older["epoch"]}
        await delete_all(self._entities, named)
        await delete_all(self._reports, {"user_id": decided.user_id})
        await delete_all(self._withheld, older)
        since = {"$lte": decided.decided_at}
        await delete_all(self._accesses, {"user_id": decided.user_id, "last_at": since})
        await delete_all(self._recalls, {"user_id": decided.user_id, "at": since})

    async def _erase_memories(self, decided: DecidedErasure) -> None:
        ids = list(decided.erasure.memory_ids)
        await self._unsay({"memory_ids": {"$in": ids}}, decided, ids)
        counters = [derive("accesses", decided.user_id, each) for each in ids]
        await delete_all(self._accesses, {"_id": {"$in": counters}})
        await delete_all(self._todos, {"_id": {"$in": ids}, "user_id": decided.user_id})

    async def _unsay_questions(self, decided: DecidedErasure) -> None:
        """Of what is gone nobody is to read that it was asked for."""
        erasure = decided.erasure
        ids = [*erasure.memory_ids, *erasure.turn_ids, *erasure.summary_ids]
        for start in range(0, len(ids), AT_ONCE):
            returned = {
                "user_id": decided.user_id,
                "results.id": {"$in": ids[start : start + AT_ONCE]},
            }
            await update_all(
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
            unsaid = history_unsaid(change_set, ids)
            if document["user_id"] != decided.user_id or unsaid.changes == change_set.changes:
                continue
            fields = to_document(unsaid)
            kept = [each for each in document.get("vectors", ()) if each["memory_id"] not in ids]
            change: Document = {"changes": fields["changes"], "reason": fields["reason"]}
            if "vectors" in document:
                change["vectors"] = kept
            await self._change_sets.update_one({"_id": document["_id"]}, {"$set": change})


class SummaryEraser:
    """Of sessions; their points first, for afterwards nobody knows which they were."""

    def __init__(self, database: MongoDatabase, vectors: VectorStore | None) -> None:
        self._summaries = database.collection(SUMMARIES)
        self._vectors = vectors

    async def erase(self, decided: DecidedErasure) -> None:
        erasure = decided.erasure
        if erasure.everything:
            which: Document = {"epoch": {"$lt": erasure.epoch}}
        elif erasure.project_id is not None:
            which = {"scope.project_id": erasure.project_id}
        elif erasure.summary_ids:
            # What a chat service has said since then is what it says once it was told.
            of_before = [
                {"made_by": {"$ne": CHAT_SERVICE}},
                {"made_at": {"$lte": decided.decided_at}},
            ]
            which = {"_id": {"$in": list(erasure.summary_ids)}, "$or": of_before}
        else:
            return
        query = {"user_id": decided.user_id, **which}
        found = await self._summaries.find(query, {"scope": 1}).to_list(None)
        if self._vectors is not None and found:
            await self._vectors.remove(
                {each["_id"]: Scope.model_validate(each["scope"]) for each in found}
            )
        await delete_all(self._summaries, query)


class ProfileEraser:
    """All versions, whatever is erased: made anew of what is left."""

    def __init__(self, database: MongoDatabase) -> None:
        self._profiles = database.collection(PROFILES)

    async def erase(self, decided: DecidedErasure) -> None:
        epoch = decided.erasure.epoch
        which = (
            {"epoch": {"$lt": epoch}}
            if decided.erasure.everything
            else {"revision": {"$lt": decided.revision}}
        )
        await delete_all(self._profiles, {"user_id": decided.user_id, **which})


class VectorEraser:
    """Points of turns and memories, by the ids that their tombstones keep."""

    def __init__(
        self,
        database: MongoDatabase,
        vectors: VectorStore,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
    ) -> None:
        self._turns = database.collection(TURNS)
        self._vectors = vectors
        self._memories = memories
        self._namespaces = namespaces

    async def erase(self, decided: DecidedErasure) -> None:
        await self._erase_turns(decided)
        namespaces = await self._namespaces.of_user(decided.user_id)
        if decided.erasure.everything:
            for namespace in namespaces:
                async for page in self._memories.pages(namespace, size=AT_ONCE):
                    await self._remove(one for one in page if one.epoch < decided.erasure.epoch)
        elif decided.erasure.memory_ids:
            named = dict.fromkeys(namespaces, decided.erasure.memory_ids)
            await self._remove(await self._memories.of_namespaces(named))

    async def _remove(self, memories: Iterable[Memory]) -> None:
        places = {one.id: one.scope for one in memories}
        if places:
            await self._vectors.remove(places)

    async def _erase_turns(self, decided: DecidedErasure) -> None:
        query = _turns_of(decided)
        if query is None:
            return
        fields = {"user_id": 1, "agent_id": 1, "project_id": 1}
        found: Sequence[Any] = await self._turns.find(query, fields).to_list(None)
        for start in range(0, len(found), AT_ONCE):
            await self._vectors.remove(
                {
                    each["_id"]: Scope(
                        user_id=each["user_id"],
                        agent_id=each["agent_id"],
                        project_id=each["project_id"],
                    )
                    for each in found[start : start + AT_ONCE]
                }
            )


def _erased(page: Sequence[Memory], erasure: Erasure) -> Iterable[MemoryChange]:
    for memory in page:
        if memory.epoch < erasure.epoch and memory.status is not Status.PURGED:
            gone = tombstone(memory).model_copy(update={"version": memory.version + 1})
            yield MemoryChange(before=memory, after=gone)


def _project_of(record: Document) -> str | None:
    project: str | None = (record.get("scope") or {}).get("project_id")
    return project


def _turns_of(decided: DecidedErasure) -> Document | None:
    erasure = decided.erasure
    if erasure.everything:
        return {"user_id": decided.user_id, "epoch": {"$lt": erasure.epoch}}
    if erasure.project_id is not None:
        whose: Document = {} if erasure.agent_id is None else {"agent_id": erasure.agent_id}
        return {"user_id": decided.user_id, "project_id": erasure.project_id, **whose}
    if erasure.turn_ids:
        return {"_id": {"$in": list(erasure.turn_ids)}, "user_id": decided.user_id}
    return None
