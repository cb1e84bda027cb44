"""Memories of an export, taken in by the one writer."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.exports import ImportQuery, ImportRequest, ImportResult
from palimpsest.events.commands import ImportMemories
from palimpsest.model.clock import Clock
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.runtime.http import Permission, declare_permission
from services.console.command_responses import (
    COMMAND_RESPONSES,
    IdempotencyKey,
    build_command_result,
    build_unique_command,
    run_command,
)
from services.console.command_runner import CommandRunner
from services.console.request_redaction import redact_records

_IMPORT = """
Takes in memories as `GET /v1/export` has them, with their evidence, times, status and todos, as memories
of `user_id`. A memory that was imported before, or that is this user's already, is left as it is; where
the user has something that holds of the same, the memory is decided about as if it had just been stated.
A todo whose rule is none that `POST /v1/todos` takes is to be done once.
`palimpsest import --format archive` sends a whole archive, with its conversations.
"""


def build_router(commands: CommandRunner, privacy: PrivacyPolicy, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["export"])

    @router.post(
        "/import",
        summary="Take in memories of an export",
        description=_IMPORT,
        openapi_extra=declare_permission(Permission.WRITE),
        responses=COMMAND_RESPONSES,
    )
    async def take_in(
        whose: Annotated[ImportQuery, Query()],
        request: ImportRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> ImportResult:
        event = build_unique_command(
            ImportMemories,
            whose.user_id,
            idempotency_key,
            *(imported.memory.id for imported in request.memories),
            now=clock(),
            memories=redact_records(request.memories, privacy),
        )
        change_set = await run_command(commands, event, response)
        result = build_command_result(event, change_set)
        if change_set is None:
            return ImportResult(taken=None, known=None, result=result)
        taken = sum(change.before is None for change in change_set.memory_changes)
        return ImportResult(taken=taken, known=len(request.memories) - taken, result=result)

    return router
