"""The end of a project: what becomes of its memories."""

from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Response

from palimpsest.api.resources import CommandResult
from palimpsest.events.commands import CloseProject, DeleteProject
from palimpsest.model.clock import Clock
from palimpsest.model.value_types import Identifier, Instant, Value
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.data_inventory import DataInventory
from services.console.command_responses import (
    COMMAND_RESPONSES,
    IdempotencyKey,
    answer_command,
    build_unique_command,
)
from services.console.command_runner import CommandRunner


class ProjectQuery(Value):
    """A user's project with one agent, or with all of them where none is named."""

    user_id: Identifier
    agent_id: Identifier | None = None


class ProjectDeletionQuery(ProjectQuery):
    dry_run: bool = False
    """Only say what would go: nothing is done."""


ProjectCommandT = TypeVar("ProjectCommandT", CloseProject, DeleteProject)


def build_router(commands: CommandRunner, kept: DataInventory, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/projects", tags=["projects"])

    @router.post(
        "/{project_id}/close",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=COMMAND_RESPONSES,
    )
    async def close(
        project_id: Identifier,
        whose: Annotated[ProjectQuery, Query()],
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Archive what is remembered of a project.

        Up to 500 memories at once: ask again until `changed` is 0.
        """
        event = _of_project(CloseProject, project_id, whose, idempotency_key, clock())
        return await answer_command(commands, event, response)

    @router.delete(
        "/{project_id}",
        openapi_extra=declare_permission(Permission.ERASE),
        responses=COMMAND_RESPONSES,
    )
    async def delete(
        project_id: Identifier,
        whose: Annotated[ProjectDeletionQuery, Query()],
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
        return await answer_command(commands, event, response)

    return router


def _of_project(
    kind: type[ProjectCommandT],
    project_id: str,
    whose: ProjectQuery,
    key: str | None,
    now: Instant,
) -> ProjectCommandT:
    return build_unique_command(
        kind,
        whose.user_id,
        key,
        project_id,
        whose.agent_id or "",
        now=now,
        agent_id=whose.agent_id,
        project_id=project_id,
    )
