"""Change sets in MongoDB."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import ChangeSet, ChangeSetProgress
from palimpsest_server.stores.change_sets import (
    PROGRESS_STEPS,
    UNFINISHED_STEPS,
    ChangeSetHead,
    DecidedChangeSet,
    DecidedMark,
)
from palimpsest_server.stores.collections import CHANGE_SETS, CHECKPOINTS
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.mongo.id_lists import build_updates, find_by_ids

_USERS_AT_ONCE = 32
"""Users read at once. The change sets of a user are one small range of an index; a query over many users
would scan."""

_IN_ORDER_OF_DECISION = [("decided_at", 1), ("user_id", 1), ("revision", 1)]


class MongoChangeSets:
    """`ChangeSetStore` in one collection; a unique index gives each revision of a user to one change set."""

    def __init__(self, database: MongoDatabase) -> None:
        self._change_sets = database.collection(CHANGE_SETS)
        self._checkpoints = database.collection(CHECKPOINTS)

    async def known(self, change_set_ids: Sequence[str]) -> set[str]:
        found = await find_by_ids(self._change_sets, change_set_ids, {"_id": 1})
        return {document["_id"] for document in found}

    async def by_ids(self, change_set_ids: Sequence[str]) -> list[ChangeSet]:
        return [decided.change_set for decided in await self.read(change_set_ids)]

    async def history(self, user_id: str, memory_id: str) -> list[ChangeSet]:
        change_sets = [
            from_document(ChangeSet, document)
            async for document in self._change_sets.find({"memory_ids": memory_id})
            if document["user_id"] == user_id
        ]
        return sorted(change_sets, key=lambda change_set: change_set.revision)

    async def histories(
        self, user_id: str, memory_ids: Sequence[str]
    ) -> Mapping[str, Sequence[ChangeSet]]:
        found: dict[str, list[ChangeSet]] = {memory_id: [] for memory_id in memory_ids}
        wanted = {"memory_ids": {"$in": list(found)}}
        async for document in self._change_sets.find(wanted, {"vectors": 0}):
            if document["user_id"] == user_id:
                own = _split_by_memory(document, found.keys())
                async for memory_id, changes in iterate_cooperatively(own.items()):
                    narrowed = from_document(ChangeSet, {**document, "changes": changes})
                    found[memory_id].append(narrowed)
        for history in found.values():
            history.sort(key=lambda change_set: change_set.revision)
        return found

    async def first_revisions(self, user_id: str) -> Mapping[str, int]:
        first: dict[str, int] = {}
        fields = {"revision": 1, "memory_ids": 1}
        async for document in self._change_sets.find({"user_id": user_id}, fields):
            revision = document["revision"]
            for memory_id in document["memory_ids"]:
                first[memory_id] = min(revision, first.get(memory_id, revision))
        return first

    async def of_session(
        self, user_id: str, session_id: str, *, limit: int, before: int | None = None
    ) -> list[ChangeSet]:
        query: Document = {"cause.session_id": session_id, "user_id": user_id}
        if before is not None:
            query["revision"] = {"$lt": before}
        found = self._change_sets.find(query, {"vectors": 0}).sort("revision", -1).limit(limit)
        return [from_document(ChangeSet, document) async for document in found]

    async def last_changed(self, user_id: str, memory_ids: Sequence[str]) -> dict[str, datetime]:
        fields = {"user_id": 1, "memory_ids": 1, "decided_at": 1}
        wanted = {"memory_ids": {"$in": list(memory_ids)}}
        last: dict[str, datetime] = {}
        async for document in self._change_sets.find(wanted, fields):
            if document["user_id"] == user_id:
                for each in document["memory_ids"]:
                    last[each] = max(document["decided_at"], last.get(each, document["decided_at"]))
        return {memory_id: last[memory_id] for memory_id in memory_ids if memory_id in last}

    async def page(self, user_id: str, *, limit: int, before: int | None) -> list[ChangeSet]:
        last = (await self.heads([user_id]))[user_id].revision if before is None else before - 1
        # Each revision has one change set, so these are the revisions of the page.
        numbers = {"$gt": last - limit, "$lte": last}
        found = self._change_sets.find({"user_id": user_id, "revision": numbers}, {"vectors": 0})
        return sorted(
            [from_document(ChangeSet, document) async for document in found],
            key=lambda change_set: -change_set.revision,
        )

    async def later(self, user_id: str, *, revision: int, limit: int) -> list[ChangeSet]:
        # Each revision has one change set, so these are the revisions of the page.
        numbers = {"$gt": revision, "$lte": revision + limit}
        found = self._change_sets.find({"user_id": user_id, "revision": numbers}, {"vectors": 0})
        return sorted(
            [from_document(ChangeSet, document) async for document in found],
            key=lambda change_set: change_set.revision,
        )

    async def marks_since(self, moment: datetime) -> AsyncIterator[DecidedMark]:
        since = {"decided_at": {"$gte": moment}}
        found = self._change_sets.find(since, {"decided_at": 1, "progress": 1})
        async for document in found.sort(_IN_ORDER_OF_DECISION):
            yield DecidedMark(
                change_set_id=document["_id"],
                decided_at=document["decided_at"],
                progress=ChangeSetProgress(document["progress"]),
            )

    async def decided_since(self, moment: datetime) -> AsyncIterator[ChangeSet]:
        since = {"decided_at": {"$gte": moment}}
        found = self._change_sets.find(since, {"vectors": 0})
        async for document in found.sort(_IN_ORDER_OF_DECISION):
            yield from_document(ChangeSet, document)

    async def heads(self, user_ids: Sequence[str]) -> Mapping[str, ChangeSetHead]:
        finished = dict.fromkeys(user_ids, 0)
        async for document in self._checkpoints.find({"_id": {"$in": list(finished)}}):
            finished[document["_id"]] = document["finished"]
        turnstile = asyncio.Semaphore(_USERS_AT_ONCE)

        async def head(user_id: str) -> ChangeSetHead:
            async with turnstile:
                return await self._head(user_id, finished[user_id])

        return dict(zip(finished, await asyncio.gather(*map(head, finished)), strict=True))

    async def _head(self, user_id: str, finished: int) -> ChangeSetHead:
        revision, unfinished = finished, list[tuple[int, str, ChangeSetProgress]]()
        later = {"user_id": user_id, "revision": {"$gt": finished}}
        async for document in self._change_sets.find(later, {"revision": 1, "progress": 1}):
            revision = max(revision, document["revision"])
            progress = ChangeSetProgress(document["progress"])
            if progress is not ChangeSetProgress.ANNOUNCED:
                unfinished.append((document["revision"], document["_id"], progress))
        return ChangeSetHead(
            revision=revision,
            unfinished={found: how_far for _, found, how_far in sorted(unfinished)},
        )

    async def append(self, decided: Sequence[DecidedChangeSet]) -> set[str]:
        waiting = [
            _document(decided_change_set)
            async for decided_change_set in iterate_cooperatively(decided)
        ]
        refused: set[str] = set()
        while waiting:
            stopped_at = await self._insert(waiting)
            if stopped_at is None:
                break
            # An unordered insert would store later change sets of the refused user.
            user_id = waiting[stopped_at]["user_id"]
            rest = waiting[stopped_at:]
            refused.update(one["_id"] for one in rest if one["user_id"] == user_id)
            waiting = [one for one in rest if one["user_id"] != user_id]
        return refused

    async def _insert(self, documents: list[Document]) -> int | None:
        """Return the position of the first refused document; the documents after it were not tried."""
        try:
            await self._change_sets.insert_many(documents, ordered=True)
        except BulkWriteError as error:
            return int(require_only_duplicates(error)[0]["index"])
        return None

    async def read(self, change_set_ids: Sequence[str]) -> list[DecidedChangeSet]:
        found = await find_by_ids(self._change_sets, change_set_ids)
        return sorted(
            [_decided(document) for document in found],
            key=lambda decided_change_set: (
                decided_change_set.user_id,
                decided_change_set.revision,
            ),
        )

    async def mark(self, change_set_ids: Sequence[str], progress: ChangeSetProgress) -> None:
        if not change_set_ids:
            return
        update: Document = {"$set": {"progress": progress.value}}
        if progress in (ChangeSetProgress.PROJECTED, ChangeSetProgress.ANNOUNCED):
            update["$unset"] = {"vectors": ""}
        if progress is ChangeSetProgress.ANNOUNCED:
            update["$unset"]["unfinished"] = ""
        behind = [step.value for step in PROGRESS_STEPS[: PROGRESS_STEPS.index(progress)]]
        writes = build_updates(change_set_ids, update, only={"progress": {"$in": behind}})
        await self._change_sets.bulk_write(writes, ordered=False)

    async def checkpoint(self, revisions: Mapping[str, int]) -> None:
        if not revisions:
            return
        writes = [
            UpdateOne({"_id": user_id}, {"$max": {"finished": revision}}, upsert=True)
            for user_id, revision in revisions.items()
        ]
        await self._checkpoints.bulk_write(writes, ordered=False)

    async def unfinished(
        self, limit: int, *, progress: Collection[ChangeSetProgress] = UNFINISHED_STEPS
    ) -> list[ChangeSet]:
        # Both conditions, because the index is partial by `unfinished`.
        standing = {"unfinished": True, "progress": {"$in": [step.value for step in progress]}}
        found = self._change_sets.find(standing, {"vectors": 0}).limit(limit)
        return sorted(
            [from_document(ChangeSet, document) async for document in found],
            key=lambda change_set: (change_set.user_id, change_set.revision),
        )


def _split_by_memory(document: Document, memory_ids: Collection[str]) -> dict[str, list[Document]]:
    """Return the changes of each of these memories. Building changes costs far more than passing them over."""
    own: dict[str, list[Document]] = {}
    for change in document["changes"]:
        if change["record"] == "memory" and change["after"]["id"] in memory_ids:
            own.setdefault(change["after"]["id"], []).append(change)
    return own


def _document(decided: DecidedChangeSet) -> Document:
    document = to_document(decided.change_set)
    document["memory_ids"] = [change.after.id for change in decided.change_set.memory_changes]
    document["unfinished"] = True
    if decided.vectors:
        document["vectors"] = [
            {"memory_id": memory_id, **vectors.model_dump()}
            for memory_id, vectors in decided.vectors.items()
        ]
    return document


def _decided(document: Document) -> DecidedChangeSet:
    return DecidedChangeSet(
        change_set=from_document(ChangeSet, document),
        vectors={
            one["memory_id"]: TextVectors.model_validate(one) for one in document.get("vectors", ())
        },
    )
