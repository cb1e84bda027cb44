"""Calls that look after a deployment: `client.operations`, over HTTP with a service key."""

from collections.abc import Collection

from palimpsest.api.operations import (
    BacklogReport,
    DeadLetterPage,
    DeadLetterQuery,
    DeadLetterReplayRequest,
    DeadLetterReplayResult,
    NamespacePage,
    NamespaceQuery,
)
from palimpsest.client.connections import ClientConnections
from palimpsest.client.request_validation import build_valid_request
from palimpsest.model.value_types import Value


class OperationCalls:
    """Calls on namespaces, dead letters and the backlog; the content of letters is never answered."""

    def __init__(self, connections: ClientConnections) -> None:
        self._connections = connections

    async def namespaces(
        self, *, user_prefix: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> NamespacePage:
        """Return a page of namespaces with their active memories and limits, by user and agent."""
        query = build_valid_request(
            NamespaceQuery, user_prefix=user_prefix, limit=limit, cursor=cursor
        )
        return await self._connections.console.command(
            "GET", "/v1/namespaces", query, None, NamespacePage
        )

    async def dead_letters(
        self, *, stage: str | None = None, reason: str | None = None, limit: int = 50
    ) -> DeadLetterPage:
        """List dead letters that wait for a replay, the latest first."""
        query = build_valid_request(DeadLetterQuery, stage=stage, reason=reason, limit=limit)
        return await self._connections.console.command(
            "GET", "/v1/dead-letters", query, None, DeadLetterPage
        )

    async def replay_dead_letters(
        self,
        ids: Collection[str] | None = None,
        *,
        stage: str | None = None,
        reason: str | None = None,
        limit: int = 100,
        dry_run: bool = False,
    ) -> DeadLetterReplayResult:
        """Give letters to their topics again: these, or all that match."""
        request = build_valid_request(
            DeadLetterReplayRequest,
            ids=ids,
            stage=stage,
            reason=reason,
            limit=limit,
            dry_run=dry_run,
        )
        return await self._connections.console.command(
            "POST", "/v1/dead-letters/replay", Value(), request, DeadLetterReplayResult
        )

    async def backlog(self) -> BacklogReport:
        """Return what waits in the stages of the process that answers, and for extraction."""
        return await self._connections.console.command(
            "GET", "/v1/backlog", Value(), None, BacklogReport
        )
