"""Calls that manage todos, over HTTP."""

from collections.abc import Collection
from datetime import datetime
from typing import Unpack

from palimpsest.api.command_requests import AddTodoRequest, ReasonRequest, SnoozeTodoRequest
from palimpsest.api.resources import CommandResult, Problem, TodoList, TodoQuery
from palimpsest.client.call_fields import AddTodoFields, ScopeFields
from palimpsest.client.connections import ClientConnections
from palimpsest.client.errors import Conflict, NotFound
from palimpsest.client.request_validation import build_valid_request, encode_path_id
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest.model.todo import TodoState

CANCELLED = "cancelled by its user"

_NO_TODO = Problem(reason="not_found", message="no todo of this id can be seen from here")
_OVER = Problem(reason="not_open", message="this is done already, or no longer to be done")


class TodoCalls:
    """Calls on todos. A todo is also a memory of the same id: `whose` is the scope to look in."""

    _connections: ClientConnections

    async def todos(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        everywhere: bool = False,
        state: Collection[TodoState | str] = (TodoState.OPEN,),
        due_before: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> TodoList:
        """List the todos seen from this scope, the earliest due first, one page at a time.

        With `everywhere` those of all projects, and of all agents if none is named.
        """
        query = build_valid_request(
            TodoQuery,
            user_id=user_id,
            agent_id=agent_id,
            project_id=project_id,
            everywhere=everywhere,
            state=state,
            due_before=due_before,
            limit=limit,
            cursor=cursor,
        )
        return await self._connections.console.command("GET", "/v1/todos", query, None, TodoList)

    async def add_todo(
        self,
        content: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        **fields: Unpack[AddTodoFields],
    ) -> CommandResult:
        """Add a todo; `fields` are those of `AddTodoRequest`, such as `due_at` and `remind_at`."""
        scope = build_valid_request(
            Scope, user_id=user_id, agent_id=agent_id, project_id=project_id
        )
        request = build_valid_request(AddTodoRequest, content=content, **fields)
        return await self._connections.console.command(
            "POST", "/v1/todos", scope, request, CommandResult
        )

    async def complete_todo(self, todo_id: str, **whose: Unpack[ScopeFields]) -> CommandResult:
        """Complete a todo: its memory is closed, and no reminder is sent."""
        return await self._todo(todo_id, "complete", build_valid_request(Scope, **whose))

    async def reopen_todo(self, todo_id: str, **whose: Unpack[ScopeFields]) -> CommandResult:
        """Reopen a completed todo."""
        return await self._todo(todo_id, "reopen", build_valid_request(Scope, **whose))

    async def snooze_todo(
        self, todo_id: str, until: datetime, **whose: Unpack[ScopeFields]
    ) -> CommandResult:
        """Move the reminder to another time, whether or not one was sent.

        Raises:
            Conflict: the time is past, or the todo is not open.
        """
        request = build_valid_request(SnoozeTodoRequest, until=until)
        path = f"/v1/todos/{encode_path_id(todo_id)}/snooze"
        scope = build_valid_request(Scope, **whose)
        return await self._connections.console.command("POST", path, scope, request, CommandResult)

    async def cancel_todo(
        self, todo_id: str, *, reason: str = CANCELLED, **whose: Unpack[ScopeFields]
    ) -> CommandResult:
        """Cancel a todo: its memory is forgotten, and `restore` brings both back.

        Raises:
            NotFound: the id is not a todo's, or this scope does not see it.
            Conflict: it was done, or something else replaced it.
        """
        scope = build_valid_request(Scope, **whose)
        found = await self._connections.console.get(scope, todo_id)
        _may_be_cancelled(found.memory)
        asked = build_valid_request(ReasonRequest, reason=reason)
        return await self._connections.console.forget(scope, todo_id, asked.reason)

    async def _todo(self, todo_id: str, what: str, scope: Scope) -> CommandResult:
        path = f"/v1/todos/{encode_path_id(todo_id)}/{what}"
        return await self._connections.console.command("POST", path, scope, None, CommandResult)


def _may_be_cancelled(memory: Memory) -> None:
    if not memory.kind.properties.is_todo:
        raise NotFound(_NO_TODO)
    if memory.status not in {Status.ACTIVE, Status.PENDING, Status.FORGOTTEN}:
        raise Conflict(_OVER)
