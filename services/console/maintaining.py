"""Looking after what is remembered now, beside the run of every day."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.contracts.http import CommandResult
from palimpsest.contracts.maintenance import RunMaintenance
from palimpsest.domain.clock import Clock
from palimpsest.domain.scope import Namespace
from palimpsest.runtime.http import Permission, needs
from services.console.answering import (
    ANSWERS,
    IdempotencyKey,
    answered,
    command_id,
    each_alone,
)
from services.console.commands import Commands


def routes(commands: Commands, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/maintenance", tags=["maintenance"])

    @router.post("", openapi_extra=needs(Permission.ADMIN), responses=ANSWERS)
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
        otherwise = each_alone(now, namespace.agent_id or "")
        event = RunMaintenance(
            event_id=command_id("RunMaintenance", namespace.user_id, idempotency_key, otherwise),
            occurred_at=now,
            user_id=namespace.user_id,
            agent_id=namespace.agent_id,
            day=now.date(),
            actor="operator",
        )
        return await answered(commands, event, response)

    return router
