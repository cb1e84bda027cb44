"""Status changes of memories by people: one route for each `MemoryAction` of a command."""

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter, Response

from palimpsest.api.command_requests import ReasonRequest
from palimpsest.api.resources import CommandResult
from palimpsest.events.command_properties import MemoryAction
from palimpsest.events.command_registry import PEOPLES_COMMANDS
from palimpsest.events.commands import SingleMemoryCommand
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier
from palimpsest_server.runtime.http import Permission, declare_permission
from services.console.command_responses import (
    SINGLE_ITEM_COMMAND_RESPONSES,
    IdempotencyKey,
    answer_command,
)
from services.console.command_runner import CommandRunner
from services.console.routes.memory_edits import MemoryCommandFactory, ScopeParameter


def build_router(editing: MemoryCommandFactory, commands: CommandRunner) -> APIRouter:
    router = APIRouter(prefix="/v1/memories/{memory_id}", tags=["memories"])
    for command in PEOPLES_COMMANDS:
        if not issubclass(command, SingleMemoryCommand):
            continue
        for action in command.PROPERTIES.memory_actions:
            run = _build_runner(command, action, editing, commands)
            takes_reason = command.PROPERTIES.takes_reason_alone
            router.post(
                f"/{action.name}",
                name=action.name,
                description=action.description,
                openapi_extra=declare_permission(Permission.WRITE),
                responses=SINGLE_ITEM_COMMAND_RESPONSES,
            )(_build_route_with_reason(run, editing) if takes_reason else _build_route(run))
            if action.name == "forget":
                router.delete(
                    "",
                    name="delete",
                    description=f"{action.description} The same as `POST …/forget`.",
                    openapi_extra=declare_permission(Permission.WRITE),
                    responses=SINGLE_ITEM_COMMAND_RESPONSES,
                )(_build_route(run))
    return router


_Run = Callable[[str, Scope, Response, str | None, dict[str, str]], Awaitable[CommandResult]]


def _build_runner(
    command: type[SingleMemoryCommand],
    action: MemoryAction,
    editing: MemoryCommandFactory,
    commands: CommandRunner,
) -> _Run:
    async def run(
        memory_id: str, scope: Scope, response: Response, key: str | None, said: dict[str, str]
    ) -> CommandResult:
        fields: dict[str, Any] = {**action.values, **said}
        event, memory = await editing.about(command, scope, memory_id, key, **fields)
        return await answer_command(commands, event, response, about=memory_id, unchanged=memory)

    return run


def _build_route(run: _Run) -> Callable[..., Awaitable[CommandResult]]:
    async def route(
        memory_id: Identifier,
        scope: ScopeParameter,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        return await run(memory_id, scope, response, idempotency_key, {})

    return route


def _build_route_with_reason(
    run: _Run, editing: MemoryCommandFactory
) -> Callable[..., Awaitable[CommandResult]]:
    async def route(
        memory_id: Identifier,
        scope: ScopeParameter,
        response: Response,
        request: ReasonRequest | None = None,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        return await run(memory_id, scope, response, idempotency_key, editing.reason(request))

    return route
