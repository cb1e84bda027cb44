"""What becomes of a project's memories when the project is over."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.contracts.commands import CloseProject, DeleteProject
from palimpsest.contracts.http import CommandResult
from palimpsest.domain.clock import Clock
from palimpsest.domain.model import Identifier, Value
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.kept import Kept
from services.console.answering import (
    CONFLICT,
    UNDER_WAY,
    IdempotencyKey,
    answered,
    command_id,
    each_alone,
)
from services.console.commands import Commands


class WhoseProject(Value):
    """A user's project with one agent, or with all of them where none is named."""

    user_id: Identifier
    agent_id: Identifier | None = None


class ProjectToDelete(WhoseProject):
    dry_run: bool = False
    """Only say what would go: nothing is done."""


def routes(commands: Commands, kept: Kept, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/projects", tags=["projects"])

    @router.post(
        "/{project_id}/close",
        openapi_extra=needs(Permission.WRITE),
        responses={202: UNDER_WAY, 409: CONFLICT},
    )
    async def close(
        project_id: Identifier,
        whose: Annotated[WhoseProject, Query()],
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Archive what is remembered of a project.

        Up to 500 memories at once: ask again until `changed` is 0.
        """
        now = clock()
        otherwise = each_alone(now, project_id, whose.agent_id or "")
        event = CloseProject(
            event_id=command_id("CloseProject", whose.user_id, idempotency_key, otherwise),
            occurred_at=now,
            user_id=whose.user_id,
            agent_id=whose.agent_id,
            project_id=project_id,
        )
        return await answered(commands, event, response)

    @router.delete(
        "/{project_id}",
        openapi_extra=needs(Permission.ADMIN),
        responses={202: UNDER_WAY, 409: CONFLICT},
    )
    async def delete(
        project_id: Identifier,
        whose: Annotated[ProjectToDelete, Query()],
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Erase for good what was said and remembered in a project, with its history.

        Up to 500 memories at once: ask again until `changed` is 0.
        """
        now = clock()
        otherwise = each_alone(now, project_id, whose.agent_id or "")
        event = DeleteProject(
            event_id=command_id("DeleteProject", whose.user_id, idempotency_key, otherwise),
            occurred_at=now,
            user_id=whose.user_id,
            agent_id=whose.agent_id,
            project_id=project_id,
        )
        if whose.dry_run:
            found = await kept.of_project(whose.user_id, whose.agent_id, project_id)
            return CommandResult(command_id=event.event_id, applied=False, would_go=found.counts)
        return await answered(commands, event, response)

    return router
