"""Routes for operators: namespaces with their limits, dead letters, and what waits."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from prometheus_client import CollectorRegistry

from palimpsest.api.operations import (
    BacklogReport,
    DeadLetterPage,
    DeadLetterQuery,
    DeadLetterReplayRequest,
    DeadLetterReplayResult,
    NamespaceFigures,
    NamespacePage,
    NamespaceQuery,
)
from palimpsest.model.clock import Clock
from palimpsest.model.scope import Namespace
from palimpsest.model.user import Tier
from palimpsest_server.delivery.dead_letter_replay import (
    replay_dead_letters,
    summarize_dead_letter,
)
from palimpsest_server.delivery.publisher import EventRepublisher
from palimpsest_server.delivery.stage_metrics import read_stage_backlogs
from palimpsest_server.domain.quotas import ACTIVE_MEMORY_LIMITS
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.dead_letters import DeadLetterStore
from palimpsest_server.stores.ledger import LedgerBacklogReader, ModelRequestState
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry, derive_namespace_id
from palimpsest_server.stores.user_states import UserStates
from services.console.command_responses import NOT_FOUND_RESPONSE

_ADMIN = declare_permission(Permission.ADMIN, service_alone=True)


class NamespaceOverview:
    """Counts what each namespace remembers, and how much it may."""

    def __init__(
        self,
        namespaces: NamespaceRegistry,
        memories: MemoryStore,
        users: UserStates,
        *,
        default_tier: Tier,
    ) -> None:
        """`default_tier` is that of users who were given none."""
        self._namespaces = namespaces
        self._memories = memories
        self._users = users
        self._default_tier = default_tier

    async def read(self, query: NamespaceQuery) -> NamespacePage:
        """Return one page of namespaces.

        Raises:
            RecordNotFound: the cursor is no namespace.
        """
        registered = await self._namespaces.page(
            limit=query.limit + 1, after=query.cursor, user_prefix=query.user_prefix or ""
        )
        shown = registered[: query.limit]
        has_more = len(registered) > len(shown)
        return NamespacePage(
            namespaces=tuple(await self._count(shown)),
            next_cursor=derive_namespace_id(shown[-1]) if has_more else None,
        )

    async def _count(self, namespaces: Sequence[Namespace]) -> list[NamespaceFigures]:
        counts = await self._memories.count_active(namespaces)
        states = await self._users.of([*{namespace.user_id for namespace in namespaces}])
        newest = await asyncio.gather(
            *(self._memories.latest(namespace, limit=1) for namespace in namespaces)
        )
        figures = []
        for namespace, latest in zip(namespaces, newest, strict=True):
            tier = states[namespace.user_id].settings.tier or self._default_tier
            figures.append(
                NamespaceFigures(
                    user_id=namespace.user_id,
                    agent_id=namespace.agent_id,
                    active_memories=counts[namespace],
                    tier=tier,
                    limit=ACTIVE_MEMORY_LIMITS[tier],
                    last_remembered_at=latest[0].recorded_at if latest else None,
                )
            )
        return figures


def build_router(
    overview: NamespaceOverview,
    letters: DeadLetterStore,
    republisher: EventRepublisher,
    ledger: LedgerBacklogReader,
    registry: CollectorRegistry,
    clock: Clock,
) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["operations"])

    @router.get("/namespaces", openapi_extra=_ADMIN, responses={404: NOT_FOUND_RESPONSE})
    async def namespaces(query: Annotated[NamespaceQuery, Query()]) -> NamespacePage:
        """List users and agents with their active memories, their limit and their last activity."""
        return await overview.read(query)

    @router.get("/dead-letters", openapi_extra=_ADMIN)
    async def dead_letters(query: Annotated[DeadLetterQuery, Query()]) -> DeadLetterPage:
        """List events that failed for good: where and why, without what they say."""
        waiting = await letters.list(stage=query.stage, reason=query.reason, limit=query.limit + 1)
        return DeadLetterPage(
            letters=tuple(summarize_dead_letter(letter) for letter in waiting[: query.limit]),
            has_more=len(waiting) > query.limit,
        )

    @router.post("/dead-letters/replay", openapi_extra=_ADMIN)
    async def replay(request: DeadLetterReplayRequest) -> DeadLetterReplayResult:
        """Give letters to their topics again, once what was wrong with them was put right.

        A letter that fails again waits again.
        """
        report = await replay_dead_letters(
            letters,
            republisher,
            clock=clock,
            stage=request.stage,
            reason=request.reason,
            ids=request.ids,
            limit=request.limit,
            dry_run=request.dry_run,
        )
        return report.summarize(request.ids)

    @router.get("/backlog", openapi_extra=_ADMIN)
    async def backlog() -> BacklogReport:
        """Count what waits in the stages of this process, and for extraction everywhere."""
        extraction = await ledger.backlog()
        return BacklogReport(
            stages=tuple(read_stage_backlogs(registry)),
            waiting_extractions=extraction.counts.get(ModelRequestState.PENDING, 0),
            oldest_extraction_at=extraction.oldest_pending,
        )

    return router
