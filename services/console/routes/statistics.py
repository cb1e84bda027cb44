"""Statistics of a user's memories as they are now, counted when they are asked for."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date
from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.resources import MemoryStatistics
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory, Status
from palimpsest.model.value_types import Identifier
from palimpsest_server.domain.reports.quality import build_quality_report
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.user_states import UserStates

_PAGE = 500


class StatisticsReader:
    def __init__(
        self, memories: MemoryStore, namespaces: NamespaceRegistry, users: UserStates, clock: Clock
    ) -> None:
        self._memories = memories
        self._namespaces = namespaces
        self._users = users
        self._clock = clock

    async def read(self, user_id: str, agent_id: str | None = None) -> MemoryStatistics:
        """Count what this user has, or what an agent sees: nothing erased, even before it is gone."""
        epoch = (await self._users.of([user_id]))[user_id].epoch
        memories = [
            memory
            for namespace in await self._namespaces.of_user(user_id)
            if agent_id is None or namespace.agent_id in (None, agent_id)
            async for page in self._memories.pages(namespace, size=_PAGE)
            for memory in page
            if memory.epoch >= epoch
        ]
        report = build_quality_report(memories, day=self._clock().date(), drift=None, probe=None)
        active = [memory.id for memory in memories if memory.status is Status.ACTIVE]
        accesses = (await self._memories.accesses_of({user_id: active})).get(user_id, {})
        return MemoryStatistics(
            active=len(active),
            by_kind=report.by_kind,
            by_status=report.by_status,
            average_importance=report.average_importance,
            accesses=sum(counted.count for counted in accesses.values()),
            by_day=_count_by_day(memories),
        )


def _count_by_day(memories: Iterable[Memory]) -> dict[date, int]:
    kept = (memory for memory in memories if memory.status is not Status.PURGED)
    return dict(Counter(memory.recorded_at.astimezone(UTC).date() for memory in kept))


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
