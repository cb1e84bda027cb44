"""Calls that export all data of a user, and take memories of an export in, over HTTP."""

from collections.abc import AsyncIterator, Iterable

from pydantic import ValidationError

from palimpsest.api.exports import (
    EXPORT_LINE,
    AgentList,
    ExportEnded,
    ExportLine,
    ExportQuery,
    ImportQuery,
    ImportRequest,
    ImportResult,
)
from palimpsest.api.resources import Problem
from palimpsest.client.connections import ClientConnections
from palimpsest.client.errors import ServerFailed, Unavailable
from palimpsest.client.request_validation import build_valid_request
from palimpsest.model.memory import ImportedMemory

_BROKEN = Problem(reason="broken_off", message="the export broke off before its end: ask again")
_UNREADABLE = Problem(
    reason="unreadable_answer", message="a line of the export is not understood: of a newer version"
)


class ExportCalls:
    _connections: ClientConnections

    async def agents(self, user_id: str) -> AgentList:
        """List the agents that have memories of this user, by `agent_id`."""
        whose = build_valid_request(ExportQuery, user_id=user_id)
        return await self._connections.console.command("GET", "/v1/agents", whose, None, AgentList)

    async def export(self, user_id: str) -> AsyncIterator[ExportLine]:
        """Yield all data of a user, one record of `palimpsest.api.exports` after another.

        The last record is an `ExportEnded`. Nothing is retried: start again after an interruption.

            async for line in client.export("ann"):
                print(line.model_dump_json(), file=file)

        Raises:
            Unavailable: the services do not answer, or the export was interrupted.
        """
        whose = build_valid_request(ExportQuery, user_id=user_id)
        line: ExportLine | None = None
        async for written in self._connections.console.lines("/v1/export", whose):
            try:
                line = EXPORT_LINE.validate_json(written)
            except ValidationError:
                raise ServerFailed(_UNREADABLE) from None
            yield line
        if not isinstance(line, ExportEnded):
            raise Unavailable(_BROKEN)

    async def import_memories(
        self,
        memories: Iterable[ImportedMemory],
        *,
        user_id: str,
        idempotency_key: str | None = None,
    ) -> ImportResult:
        """Take in at most 100 memories of an export as they were; known ones are left as they are."""
        whose = build_valid_request(ImportQuery, user_id=user_id)
        request = build_valid_request(ImportRequest, memories=tuple(memories))
        return await self._connections.console.command(
            "POST",
            "/v1/import",
            whose,
            request,
            ImportResult,
            idempotency_key=idempotency_key,
        )
