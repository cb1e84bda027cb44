"""The consolidator erases the points of memories and of turns."""

from collections.abc import Iterable, Sequence
from typing import Any

from palimpsest.model.memory import Memory
from palimpsest.model.scope import Namespace, Scope
from palimpsest_server.stores.collections import TURNS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.mongo.chunked_writes import DOCUMENTS_PER_CHUNK
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.vectors import VectorStore


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
        spoken_in = await self._erase_turns(decided)
        namespaces = await self._namespaces.of_user(decided.user_id)
        if decided.erasure.everything:
            for namespace in namespaces:
                async for page in self._memories.pages(namespace, size=DOCUMENTS_PER_CHUNK):
                    await self._remove(
                        memory for memory in page if memory.epoch < decided.erasure.epoch
                    )
            await self._vectors.drop_emptied({*namespaces, *spoken_in})
        elif decided.erasure.memory_ids:
            named = dict.fromkeys(namespaces, decided.erasure.memory_ids)
            await self._remove(await self._memories.of_namespaces(named))

    async def _remove(self, memories: Iterable[Memory]) -> None:
        places = {memory.id: memory.scope for memory in memories}
        if places:
            await self._vectors.remove(places)

    async def _erase_turns(self, decided: DecidedErasure) -> set[Namespace]:
        """Remove the points of turns; returns the namespaces that they were in."""
        query = _turns_of(decided)
        if query is None:
            return set()
        fields = {"user_id": 1, "agent_id": 1, "project_id": 1}
        found: Sequence[Any] = await self._turns.find(query, fields).to_list(None)
        scopes = {
            each["_id"]: Scope(
                user_id=each["user_id"], agent_id=each["agent_id"], project_id=each["project_id"]
            )
            for each in found
        }
        ids = list(scopes)
        for start in range(0, len(ids), DOCUMENTS_PER_CHUNK):
            await self._vectors.remove(
                {each: scopes[each] for each in ids[start : start + DOCUMENTS_PER_CHUNK]}
            )
        return {scope.namespace for scope in scopes.values()}


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
