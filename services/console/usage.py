"""What language models took: of one user, for a chat service that charges credits, and of all."""

from datetime import UTC, date, timedelta
from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.contracts.http import DeploymentUsage, UsageDays, UsageQuery, UserUsage
from palimpsest.domain.clock import Clock
from palimpsest.domain.usage import total
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.usage import UsageReader

DAYS = timedelta(days=29)
"""Before the last day asked for, where none is named as the first."""


def routes(usage: UsageReader, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/usage", tags=["usage"])

    def days(query: UsageDays) -> tuple[date, date]:
        until = query.until or clock().astimezone(UTC).date()
        return query.since or until - DAYS, until

    @router.get("", openapi_extra=needs(Permission.READ))
    async def of_user(query: Annotated[UsageQuery, Query()]) -> UserUsage:
        """The calls made for this user by day, task and model, failed ones included."""
        since, until = days(query)
        rows = await usage.rows(
            since=since, until=until, user_id=query.user_id, agent_id=query.agent_id
        )
        return UserUsage(
            user_id=query.user_id,
            agent_id=query.agent_id,
            since=since,
            until=until,
            rows=tuple(rows),
            total=total(rows),
        )

    @router.get("/deployment", openapi_extra=needs(Permission.ADMIN))
    async def of_all(query: Annotated[UsageDays, Query()]) -> DeploymentUsage:
        """Of all users together, those included who had everything erased since."""
        since, until = days(query)
        rows = await usage.rows(since=since, until=until)
        return DeploymentUsage(since=since, until=until, rows=tuple(rows), total=total(rows))

    return router
