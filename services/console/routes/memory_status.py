"""Status changes of memories by people: forget, pin, confirm, reject."""

from typing import Any

from fastapi import APIRouter, Response

from palimpsest.api.command_requests import ReasonRequest
from palimpsest.api.resources import CommandResult
from palimpsest.events.commands import (
    ConfirmMemory,
    ForgetMemory,
    PinMemory,
    RejectMemory,
    RestoreMemory,
    SingleMemoryCommand,
)
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
    declared: dict[str, Any] = {
        "openapi_extra": declare_permission(Permission.WRITE),
        "responses": SINGLE_ITEM_COMMAND_RESPONSES,
    }

    async def plain(
        kind: type[SingleMemoryCommand],
        memory_id: str,
        scope: Scope,
        response: Response,
        key: str | None,
        **fields: Any,
    ) -> CommandResult:
        event, memory = await editing.about(kind, scope, memory_id, key, **fields)
        return await answer_command(commands, event, response, about=memory_id, unchanged=memory)

    @router.post("/forget", **declared)
    async def forget(
        memory_id: Identifier,
        scope: ScopeParameter,
        response: Response,
        request: ReasonRequest | None = None,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Forget one memory, softly: it can be restored."""
        reason = editing.reason(request)
        return await plain(ForgetMemory, memory_id, scope, response, idempotency_key, **reason)

    @router.post("/reject", **declared)
    async def reject(
        memory_id: Identifier,
        scope: ScopeParameter,
        response: Response,
        request: ReasonRequest | None = None,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Say no to a memory that waits for a yes."""
        reason = editing.reason(request)
        return await plain(RejectMemory, memory_id, scope, response, idempotency_key, **reason)

    @router.post("/confirm", **declared)
    async def confirm(
        memory_id: Identifier,
        scope: ScopeParameter,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Say yes to a memory that waits for it."""
        return await plain(ConfirmMemory, memory_id, scope, response, idempotency_key)

    @router.post("/restore", **declared)
    async def restore(
        memory_id: Identifier,
        scope: ScopeParameter,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Take back that it was forgotten, archived or rejected."""
        return await plain(RestoreMemory, memory_id, scope, response, idempotency_key)

    @router.post("/pin", **declared)
    async def pin(
        memory_id: Identifier,
        scope: ScopeParameter,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Keep it, whatever the policies of forgetting say."""
        return await plain(PinMemory, memory_id, scope, response, idempotency_key, pinned=True)

    @router.post("/unpin", **declared)
    async def unpin(
        memory_id: Identifier,
        scope: ScopeParameter,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Leave it to the policies again."""
        return await plain(PinMemory, memory_id, scope, response, idempotency_key, pinned=False)

    return router
