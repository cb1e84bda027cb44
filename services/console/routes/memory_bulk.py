"""One action on many memories: each is a command of its own, and one that fails stops no other."""

import asyncio
from collections.abc import Mapping

from fastapi import APIRouter, Response

from palimpsest.api.command_requests import BulkItem, BulkRequest, BulkResult, ReasonRequest
from palimpsest.api.problems import build_problem, get_http_status
from palimpsest.events.command_properties import MemoryAction
from palimpsest.events.command_registry import PEOPLES_COMMANDS
from palimpsest.events.commands import SingleMemoryCommand
from palimpsest.model.errors import CommandRefused, ConflictingDuplicate, RecordNotFound
from palimpsest.model.scope import Scope
from palimpsest_server.runtime.http import Permission, declare_permission
from services.console.command_responses import IdempotencyKey, answer_command
from services.console.command_runner import CommandRunner
from services.console.routes.memory_edits import MemoryCommandFactory, ScopeParameter

_AT_ONCE = 8

_ACTIONS: Mapping[str, tuple[type[SingleMemoryCommand], MemoryAction]] = {
    action.name: (command, action)
    for command in PEOPLES_COMMANDS
    if issubclass(command, SingleMemoryCommand)
    for action in command.PROPERTIES.memory_actions
}


def build_router(editing: MemoryCommandFactory, commands: CommandRunner) -> APIRouter:
    router = APIRouter(prefix="/v1/memories", tags=["memories"])

    @router.post("/bulk", openapi_extra=declare_permission(Permission.WRITE))
    async def bulk(
        scope: ScopeParameter, request: BulkRequest, idempotency_key: IdempotencyKey = None
    ) -> BulkResult:
        """Pin, unpin, confirm, reject, forget or restore many memories, each by itself.

        The answer is 200 with one result for each; those that were refused say why.
        """
        turnstile = asyncio.Semaphore(_AT_ONCE)
        command, action = _ACTIONS[request.action]
        said = editing.reason(ReasonRequest(reason=request.reason))
        fields = {**action.values, **(said if command.PROPERTIES.takes_reason_alone else {})}

        async def act(memory_id: str) -> BulkItem:
            async with turnstile:
                return await _act(
                    editing, commands, command, scope, memory_id, idempotency_key, fields
                )

        ids = tuple(dict.fromkeys(request.memory_ids))
        return BulkResult(results=tuple(await asyncio.gather(*map(act, ids))))

    return router


async def _act(
    editing: MemoryCommandFactory,
    commands: CommandRunner,
    command: type[SingleMemoryCommand],
    scope: Scope,
    memory_id: str,
    key: str | None,
    fields: Mapping[str, object],
) -> BulkItem:
    response = Response()
    try:
        event, memory = await editing.about(command, scope, memory_id, key, **fields)
        result = await answer_command(commands, event, response, about=memory_id, unchanged=memory)
    except (RecordNotFound, CommandRefused, ConflictingDuplicate) as error:
        status = 404 if get_http_status(error) == 404 else 409
        return BulkItem(memory_id=memory_id, status=status, problem=build_problem(error))
    return BulkItem(memory_id=memory_id, status=200 if result.applied else 202, result=result)
