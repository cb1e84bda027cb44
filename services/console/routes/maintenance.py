"""Looking after what is remembered now, beside the run of every day."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.resources import CommandResult
from palimpsest.events.maintenance import RunMaintenance
from palimpsest.model.clock import Clock
from palimpsest.model.scope import Namespace
from palimpsest_server.runtime.http import Permission, declare_permission
from services.console.command_responses import (
    COMMAND_RESPONSES,
    IdempotencyKey,
    answer_command,
    derive_command_id,
    list_unique_request_parts,
)
from services.console.command_runner import CommandRunner


def build_router(commands: CommandRunner, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/maintenance", tags=["maintenance"])

    @router.post(
        "", openapi_extra=declare_permission(Permission.ADMIN), responses=COMMAND_RESPONSES
    )
    async def run(
        namespace: Annotated[Namespace, Query()],
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Look after the memories of a user and agent, or of no agent, now.

        Answers what the first part of the run has changed; where there is much
        to do the others follow it.
        """
        now = clock()
        otherwise = list_unique_request_parts(now, namespace.agent_id or "")
        event = RunMaintenance(
            event_id=derive_command_id(
                "RunMaintenance", namespace.user_id, idempotency_key, otherwise
            ),
            occurred_at=now,
            user_id=namespace.user_id,
            agent_id=namespace.agent_id,
            day=now.date(),
            actor="operator",
        )
        return await answer_command(commands, event, response)

    return router
