"""Usage of language models: of one user, for services that charge credits, and of all."""

from datetime import UTC, date, timedelta
from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.model_calls import ModelCallList, ModelCallQuery
from palimpsest.api.resources import DeploymentUsage, DeploymentUsageQuery, UsageQuery, UserUsage
from palimpsest.model.clock import Clock
from palimpsest.model.usage import sum_usage
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.usage import UsageReader
from services.console.model_call_pages import ModelCallPages

DEFAULT_USAGE_PERIOD = timedelta(days=29)
"""The time from the first day to the last one, if no first day is named."""


def build_router(usage: UsageReader, calls: ModelCallPages, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/usage", tags=["usage"])

    def days(query: DeploymentUsageQuery) -> tuple[date, date]:
        until = query.until or clock().astimezone(UTC).date()
        return query.since or until - DEFAULT_USAGE_PERIOD, until

    @router.get("", openapi_extra=declare_permission(Permission.READ))
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
            total=sum_usage(rows),
        )

    @router.get("/calls", openapi_extra=declare_permission(Permission.READ))
    async def single_calls(query: Annotated[ModelCallQuery, Query()]) -> ModelCallList:
        """List the calls made for this user one by one, the latest first, with what followed from each."""
        since, until = days(query)
        return await calls.page(query, since=since, until=until)

    @router.get("/deployment", openapi_extra=declare_permission(Permission.ADMIN))
    async def of_all(query: Annotated[DeploymentUsageQuery, Query()]) -> DeploymentUsage:
        """Return the usage of all users together, including those who had everything erased since."""
        since, until = days(query)
        rows = await usage.rows(since=since, until=until)
        return DeploymentUsage(since=since, until=until, rows=tuple(rows), total=sum_usage(rows))

    return router
