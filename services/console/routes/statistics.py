"""Statistics of a user's memories as they are now, counted when they are asked for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.resources import MemoryStatistics
from palimpsest.model.memory import Status
from palimpsest.model.value_types import Identifier
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.memories import MemoryFigures, MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.user_states import UserStates


class StatisticsReader:
    def __init__(
        self, memories: MemoryStore, namespaces: NamespaceRegistry, users: UserStates
    ) -> None:
        self._memories = memories
        self._namespaces = namespaces
        self._users = users

    async def read(self, user_id: str, agent_id: str | None = None) -> MemoryStatistics:
        """Count what this user has, or what an agent sees: nothing erased, even before it is gone."""
        epoch = (await self._users.of([user_id]))[user_id].epoch
        figures = [
            memory
            for namespace in await self._namespaces.of_user(user_id)
            if agent_id is None or namespace.agent_id in (None, agent_id)
            for memory in await self._memories.figures(namespace)
            if memory.epoch >= epoch
        ]
        return count_memories(figures, await self._memories.recall_counts(user_id))


def count_memories(
    figures: Sequence[MemoryFigures], recalled: Mapping[str, int]
) -> MemoryStatistics:
    """Add up the figures of memories; `recalled` counts the recalls of each."""
    active = [memory for memory in figures if memory.status is Status.ACTIVE]
    days = (memory.recorded_at.date() for memory in figures if memory.status is not Status.PURGED)
    return MemoryStatistics(
        active=len(active),
        by_kind=dict(sorted(Counter(memory.kind for memory in active).items())),
        by_status=dict(sorted(Counter(memory.status for memory in figures).items())),
        average_importance=round(fmean(memory.importance for memory in active), 4)
        if active
        else 0.0,
        accesses=sum(recalled.get(memory.id, 0) for memory in active),
        by_day=dict(Counter(days)),
    )


def build_router(statistics: StatisticsReader) -> APIRouter:
    router = APIRouter(prefix="/v1/stats", tags=["memories"])

    @router.get("", openapi_extra=declare_permission(Permission.READ))
    async def current(
        user_id: Annotated[Identifier, Query()],
        agent_id: Annotated[Identifier | None, Query()] = None,
    ) -> MemoryStatistics:
        """Return how many memories a user has, by kind and status, counted now.

        With `agent_id` those that this agent sees, in whatever project.
        """
        return await statistics.read(user_id, agent_id)

    return router
