"""How much there is of one user in every collection, for whoever thinks of having it erased."""

from typing import Protocol

from palimpsest.contracts.collections import (
    ACCESSES,
    CHANGE_SETS,
    COMMANDS,
    DEAD_LETTERS,
    LEDGER,
    MODEL_SPENDING,
    PROFILES,
    RECALLS,
    REQUESTS,
    SESSIONS,
    SUMMARIES,
    TODOS,
    TURNS,
    WINDOWS,
)
from palimpsest.contracts.command_requests import WhatIsKept
from palimpsest.domain.memory import Status
from palimpsest.domain.scope import Layout
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.namespaces import NamespaceRegistry

_COUNTED = (
    TURNS,
    SESSIONS,
    SUMMARIES,
    WINDOWS,
    REQUESTS,
    LEDGER,
    MODEL_SPENDING,
    TODOS,
    ACCESSES,
    PROFILES,
    RECALLS,
    CHANGE_SETS,
    COMMANDS,
    DEAD_LETTERS,
)
_AT_ONCE = 500


class Kept(Protocol):
    async def of(self, user_id: str) -> WhatIsKept: ...


class MongoKept:
    def __init__(
        self, database: MongoDatabase, namespaces: NamespaceRegistry, *, layout: Layout
    ) -> None:
        self._database = database
        self._namespaces = namespaces
        self._memories = MongoMemories(database, layout=layout)

    async def of(self, user_id: str) -> WhatIsKept:
        counts = {
            table.name: int(
                await self._database.collection(table).count_documents({"user_id": user_id})
            )
            for table in _COUNTED
        }
        return WhatIsKept(counts={"memories": await self._count_memories(user_id), **counts})

    async def _count_memories(self, user_id: str) -> int:
        count = 0
        for namespace in await self._namespaces.of_user(user_id):
            after: str | None = None
            while page := await self._memories.page(namespace, limit=_AT_ONCE, after=after):
                after = page[-1].id
                count += sum(memory.status is not Status.PURGED for memory in page)
        return count
