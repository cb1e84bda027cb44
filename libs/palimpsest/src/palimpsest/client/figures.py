"""Calls that count: what is remembered, how much of it there may be, and what is being erased."""

from datetime import date
from typing import TYPE_CHECKING

from palimpsest.api.command_requests import ErasureList
from palimpsest.api.resources import (
    DeploymentUsage,
    DeploymentUsageQuery,
    MemoryStatistics,
    QualityReports,
    QuotaState,
)
from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.client.connections import ClientConnections
from palimpsest.client.request_validation import build_valid_request
from palimpsest.model.value_types import Identifier, Value

if TYPE_CHECKING:
    from palimpsest.api.model_calls import ModelCallList


class OptionalUser(Value):
    """A user, or all of them where none is named."""

    user_id: Identifier | None = None


class FigureCalls:
    _connections: ClientConnections

    async def statistics(self, user_id: str, *, agent_id: str | None = None) -> MemoryStatistics:
        """Count the memories of a user, or those that an agent sees, as they are now."""
        whose = build_valid_request(ScopedRequest, user_id=user_id, agent_id=agent_id)
        return await self._connections.console.command(
            "GET", "/v1/stats", whose, None, MemoryStatistics
        )

    async def quota(self, user_id: str, *, agent_id: str | None = None) -> QuotaState:
        """Return how many active memories a user and agent (or no agent) have and may have."""
        whose = build_valid_request(ScopedRequest, user_id=user_id, agent_id=agent_id)
        return await self._connections.console.command("GET", "/v1/quota", whose, None, QuotaState)

    async def quality_reports(self, user_id: str | None = None) -> QualityReports:
        """Return the figures of the latest quality round, of a user or of all users together."""
        whose = build_valid_request(OptionalUser, user_id=user_id)
        return await self._connections.console.command(
            "GET", "/v1/reports", whose, None, QualityReports
        )

    async def deployment_usage(
        self, *, since: date | None = None, until: date | None = None
    ) -> DeploymentUsage:
        """Return the usage of language models of all users together; needs `admin`."""
        query = build_valid_request(DeploymentUsageQuery, since=since, until=until)
        return await self._connections.console.command(
            "GET", "/v1/usage/deployment", query, None, DeploymentUsage
        )

    async def model_calls(
        self,
        user_id: str,
        *,
        agent_id: str | None = None,
        since: date | None = None,
        until: date | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> "ModelCallList":
        """List single calls of language models for a user, latest first, with what each made."""
        from palimpsest.api.model_calls import (  # noqa: PLC0415 - few need these
            ModelCallList,
            ModelCallQuery,
        )

        query = build_valid_request(
            ModelCallQuery,
            user_id=user_id,
            agent_id=agent_id,
            since=since,
            until=until,
            limit=limit,
            cursor=cursor,
        )
        return await self._connections.console.command(
            "GET", "/v1/usage/calls", query, None, ModelCallList
        )

    async def erasures(self, user_id: str) -> ErasureList:
        """List erasures of a user, and the stages that may still keep something of them."""
        whose = build_valid_request(ScopedRequest, user_id=user_id)
        return await self._connections.console.command(
            "GET", "/v1/erasures", whose, None, ErasureList
        )
