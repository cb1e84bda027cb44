"""The consolidator erases memories, summaries and profiles."""

from collections.abc import Iterable, Sequence

from palimpsest.contracts.collections import PROFILES, SUMMARIES
from palimpsest.domain.change_set import MemoryChange
from palimpsest.domain.erasure import Erasure
from palimpsest.domain.evolution.erasing import tombstone
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.scope import Scope
from palimpsest.domain.summaries.summary import CHAT_SERVICE
from palimpsest.stores.erasing.chunks import AT_ONCE, delete_all
from palimpsest.stores.erasures import DecidedErasure
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.mongo import Document, MongoDatabase
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


def _erased(page: Sequence[Memory], erasure: Erasure) -> Iterable[MemoryChange]:
    for memory in page:
        if memory.epoch < erasure.epoch and memory.status is not Status.PURGED:
            gone = tombstone(memory).model_copy(update={"version": memory.version + 1})
            yield MemoryChange(before=memory, after=gone)
