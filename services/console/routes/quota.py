"""The share of a user's quota that is used up with an agent."""

from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.resources import QuotaState
from palimpsest.model.scope import Namespace
from palimpsest.model.user import Tier
from palimpsest_server.domain.quotas import ACTIVE_MEMORY_LIMITS, has_quota_left
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.user_states import UserStates


def build_router(memories: MemoryStore, users: UserStates, *, default_tier: Tier) -> APIRouter:
    """`default_tier` is that of users who were given none."""
    router = APIRouter(prefix="/v1/quota", tags=["quota"])

    @router.get("", openapi_extra=declare_permission(Permission.READ))
    async def quota(namespace: Annotated[Namespace, Query()]) -> QuotaState:
        """The active memories of a user and agent (or of no agent), and how many there may be."""
        states = await users.of([namespace.user_id])
        tier = states[namespace.user_id].settings.tier or default_tier
        current = (await memories.count_active([namespace]))[namespace]
        return QuotaState(
            tier=tier,
            current=current,
            limit=ACTIVE_MEMORY_LIMITS[tier],
            can_add=has_quota_left(current, ACTIVE_MEMORY_LIMITS[tier]),
        )

    return router
