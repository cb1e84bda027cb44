"""The consolidator erases memories, summaries and profiles."""

from collections.abc import Iterable, Sequence

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.erasure import Erasure
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import CHAT_SERVICE
from palimpsest.model.value_types import STORED
from palimpsest_server.domain.consolidation.tombstones import build_tombstone
from palimpsest_server.stores.collections import PROFILES, SUMMARIES
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.mongo.chunked_writes import DOCUMENTS_PER_CHUNK, delete_in_chunks
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.vectors import VectorStore


class MemoryEraser:
    """Replace all memories of an older epoch by tombstones, if everything is erased.

    Memories that an erasure names are tombstones already.
    """

    def __init__(self, memories: MemoryStore, namespaces: NamespaceRegistry) -> None:
        self._memories = memories
        self._namespaces = namespaces

    async def erase(self, decided: DecidedErasure) -> None:
        if not decided.erasure.everything:
            return
        for namespace in await self._namespaces.of_user(decided.user_id):
            async for page in self._memories.pages(namespace, size=DOCUMENTS_PER_CHUNK):
                await self._memories.apply(list(_erased(page, decided.erasure)))


class SummaryEraser:
    """Erase session summaries; their points go first, while their ids are still known."""

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
            # A summary that a chat service published after this erasure already takes account of it.
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
                {each["_id"]: Scope.model_validate(each["scope"], context=STORED) for each in found}
            )
        await delete_in_chunks(self._summaries, query)


class ProfileEraser:
    """Erase the profile versions older than any erasure; the profile is made anew from what is left."""

    def __init__(self, database: MongoDatabase) -> None:
        self._profiles = database.collection(PROFILES)

    async def erase(self, decided: DecidedErasure) -> None:
        epoch = decided.erasure.epoch
        which = (
            {"epoch": {"$lt": epoch}}
            if decided.erasure.everything
            else {"revision": {"$lt": decided.revision}}
        )
        await delete_in_chunks(self._profiles, {"user_id": decided.user_id, **which})


def _erased(page: Sequence[Memory], erasure: Erasure) -> Iterable[MemoryChange]:
    for memory in page:
        if memory.epoch < erasure.epoch and memory.status is not Status.PURGED:
            gone = build_tombstone(memory).model_copy(update={"version": memory.version + 1})
            yield MemoryChange(before=memory, after=gone)
