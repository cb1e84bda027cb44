"""The amount of data of one user or of one project, shown before an erasure."""

import sys
from collections.abc import Callable
from typing import Protocol

from palimpsest.api.command_requests import DataInventoryCounts
from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Layout
from palimpsest_server.stores.collections import (
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
    STANDING_QUESTIONS,
    SUMMARIES,
    TODOS,
    TURNS,
    WINDOWS,
    MongoCollection,
)
from palimpsest_server.stores.decided_erasures import MongoErasures
from palimpsest_server.stores.erasure.standing_questions import find_erased_questions
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.standing_questions import MongoStandingQuestions

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
    STANDING_QUESTIONS,
    DEAD_LETTERS,
)
_AT_ONCE = 500


class DataInventory(Protocol):
    async def of(self, user_id: str) -> DataInventoryCounts: ...

    async def of_project(
        self, user_id: str, agent_id: str | None, project_id: str
    ) -> DataInventoryCounts: ...


class MongoDataInventory:
    def __init__(
        self, database: MongoDatabase, namespaces: NamespaceRegistry, *, layout: Layout
    ) -> None:
        self._database = database
        self._namespaces = namespaces
        self._memories = MongoMemories(database, layout=layout)

    async def of(self, user_id: str) -> DataInventoryCounts:
        counts = {table.name: await self._count(table, {"user_id": user_id}) for table in _COUNTED}
        memories = await self._find_memories(user_id, lambda _: True)
        return DataInventoryCounts(counts={"memories": len(memories), **counts})

    async def of_project(
        self, user_id: str, agent_id: str | None, project_id: str
    ) -> DataInventoryCounts:
        """Count what was said and remembered in a project, with one agent or with all."""
        agent: Document = {} if agent_id is None else {"agent_id": agent_id}
        said = {"user_id": user_id, "sequence": {"$exists": True}, "project_id": project_id}
        summed_up = {"user_id": user_id, "scope.project_id": project_id}
        memory_ids = await self._find_memories(
            user_id,
            lambda memory: (
                memory.scope.project_id == project_id and agent_id in (None, memory.scope.agent_id)
            ),
        )
        erasure = Erasure(
            epoch=0,
            memory_ids=memory_ids,
            project_id=project_id,
            agent_id=agent_id,
            takes_questions=True,
        )
        return DataInventoryCounts(
            counts={
                "memories": len(memory_ids),
                TURNS.name: await self._count(TURNS, {**said, **agent}),
                SUMMARIES.name: await self._count(SUMMARIES, summed_up),
                STANDING_QUESTIONS.name: await self._count_questions(user_id, erasure),
            }
        )

    async def _count(self, table: MongoCollection, query: Document) -> int:
        return int(await self._database.collection(table).count_documents(query))

    async def _count_questions(self, user_id: str, erasure: Erasure) -> int:
        """Count the standing questions that an erasure would take if it came now."""
        coming = PendingErasure(erasure=erasure, revision=sys.maxsize)
        decided = await MongoErasures(self._database).of_user(user_id)
        questions = await MongoStandingQuestions(self._database).list(user_id)
        with_it = find_erased_questions(questions, [*decided, coming])
        return len(with_it - find_erased_questions(questions, decided))

    async def _find_memories(
        self, user_id: str, counts: Callable[[Memory], bool]
    ) -> tuple[str, ...]:
        found: list[str] = []
        for namespace in await self._namespaces.of_user(user_id):
            async for page in self._memories.pages(namespace, size=_AT_ONCE):
                found += [
                    memory.id
                    for memory in page
                    if memory.status is not Status.PURGED and counts(memory)
                ]
        return tuple(found)
