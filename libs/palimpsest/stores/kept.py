"""How much there is of one user, or of a project, for whoever thinks of having it erased."""

from collections.abc import Callable
from typing import Protocol

from palimpsest.contracts.collections import (
    ACCESSES,
    CHANGE_SETS,
    COMMANDS,
    COMPLETIONS,
    DEAD_LETTERS,
    LEDGER,
    MODEL_CALLS,
    MODEL_SPENDING,
    PROFILES,
    RECALLS,
    REPORTS,
    REQUESTS,
    SESSIONS,
    SUMMARIES,
    TODOS,
    TURNS,
    WINDOWS,
    Collection,
)
from palimpsest.contracts.command_requests import WhatIsKept
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.scope import Layout
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.mongo import Document, MongoDatabase
from palimpsest.stores.namespaces import NamespaceRegistry

_COUNTED = (
    TURNS,
    SESSIONS,
    SUMMARIES,
    WINDOWS,
    REQUESTS,
    LEDGER,
    MODEL_CALLS,
    MODEL_SPENDING,
    TODOS,
    COMPLETIONS,
    ACCESSES,
    PROFILES,
    RECALLS,
    REPORTS,
    CHANGE_SETS,
    COMMANDS,
    DEAD_LETTERS,
)
_AT_ONCE = 500


class Kept(Protocol):
    async def of(self, user_id: str) -> WhatIsKept: ...

    async def of_project(
        self, user_id: str, agent_id: str | None, project_id: str
    ) -> WhatIsKept: ...


class MongoKept:
    def __init__(
        self, database: MongoDatabase, namespaces: NamespaceRegistry, *, layout: Layout
    ) -> None:
        self._database = database
        self._namespaces = namespaces
        self._memories = MongoMemories(database, layout=layout)

    async def of(self, user_id: str) -> WhatIsKept:
        counts = {table.name: await self._count(table, {"user_id": user_id}) for table in _COUNTED}
        memories = await self._count_memories(user_id, lambda _: True)
        return WhatIsKept(counts={"memories": memories, **counts})

    async def of_project(self, user_id: str, agent_id: str | None, project_id: str) -> WhatIsKept:
        """What was said and remembered in a project, with one agent or with all."""
        agent: Document = {} if agent_id is None else {"agent_id": agent_id}
        said = {"user_id": user_id, "sequence": {"$exists": True}, "project_id": project_id}
        summed_up = {"user_id": user_id, "scope.project_id": project_id}
        return WhatIsKept(
            counts={
                "memories": await self._count_memories(
                    user_id,
                    lambda one: (
                        one.scope.project_id == project_id
                        and agent_id in (None, one.scope.agent_id)
                    ),
                ),
                TURNS.name: await self._count(TURNS, {**said, **agent}),
                SUMMARIES.name: await self._count(SUMMARIES, summed_up),
            }
        )

    async def _count(self, table: Collection, query: Document) -> int:
        return int(await self._database.collection(table).count_documents(query))

    async def _count_memories(self, user_id: str, counts: Callable[[Memory], bool]) -> int:
        count = 0
        for namespace in await self._namespaces.of_user(user_id):
            async for page in self._memories.pages(namespace, size=_AT_ONCE):
                count += sum(one.status is not Status.PURGED and counts(one) for one in page)
        return count
