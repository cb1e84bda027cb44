"""What becomes of a project's memories when the project is over."""

from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Response

from palimpsest.contracts.commands import CloseProject, DeleteProject
from palimpsest.contracts.http import CommandResult
from palimpsest.domain.clock import Clock
from palimpsest.domain.model import Identifier, Instant, Value
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.kept import Kept
from services.console.answering import (
    ANSWERS,
    IdempotencyKey,
    answered,
    command_alone,
)
from services.console.commands import Commands


class WhoseProject(Value):
    """A user's project with one agent, or with all of them where none is named."""

    user_id: Identifier
    agent_id: Identifier | None = None


class ProjectToDelete(WhoseProject):
    dry_run: bool = False
    """Only say what would go: nothing is done."""


ProjectCommand = TypeVar("ProjectCommand", CloseProject, DeleteProject)


def routes(commands: Commands, kept: Kept, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/projects", tags=["projects"])

    @router.post(
        "/{project_id}/close",
        openapi_extra=needs(Permission.WRITE),
        responses=ANSWERS,
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
        event = _of_project(CloseProject, project_id, whose, idempotency_key, clock())
        return await answered(commands, event, response)

    @router.delete(
        "/{project_id}",
        openapi_extra=needs(Permission.ADMIN),
        responses=ANSWERS,
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
        event = _of_project(DeleteProject, project_id, whose, idempotency_key, clock())
        if whose.dry_run:
            found = await kept.of_project(whose.user_id, whose.agent_id, project_id)
            return CommandResult(command_id=event.event_id, applied=False, would_go=found.counts)
        return await answered(commands, event, response)

    return router


def _of_project(
    kind: type[ProjectCommand],
    project_id: str,
    whose: WhoseProject,
    key: str | None,
    now: Instant,
) -> ProjectCommand:
    return command_alone(
        kind,
        whose.user_id,
        key,
        project_id,
        whose.agent_id or "",
        now=now,
        agent_id=whose.agent_id,
        project_id=project_id,
    )
