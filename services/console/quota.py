"""How much of their quota a user has taken up with an agent."""

from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.contracts.http import QuotaState
from palimpsest.domain.quotas import LIMITS, can_add
from palimpsest.domain.scope import Namespace
from palimpsest.domain.user import Tier
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.users import UserStates


def routes(memories: MemoryStore, users: UserStates, *, default_tier: Tier) -> APIRouter:
    """`default_tier` is that of users who were given none."""
    router = APIRouter(prefix="/v1/quota", tags=["quota"])

    @router.get("", openapi_extra=needs(Permission.READ))
    async def quota(namespace: Annotated[Namespace, Query()]) -> QuotaState:
        """The active memories of a user and agent (or of no agent), and how many there may be."""
        states = await users.of([namespace.user_id])
        tier = states[namespace.user_id].settings.tier or default_tier
        current = (await memories.count_active([namespace]))[namespace]
        return QuotaState(
            tier=tier,
            current=current,
            limit=LIMITS[tier],
            can_add=can_add(current, LIMITS[tier]),
        )

    return router
