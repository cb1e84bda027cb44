"""Todos as people look after them: a list, and two commands."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.command_requests import AddTodoRequest, SnoozeTodoRequest
from palimpsest.api.resources import CommandResult, TodoList, TodoQuery
from palimpsest.events.commands import CompleteTodo, ReopenTodo, SnoozeTodo
from palimpsest.events.envelope import derive_event_id
from palimpsest.model.change_set import ChangeSet, TodoChange
from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError, RecordNotFound
from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo
from palimpsest.model.value_types import Identifier
from palimpsest_server.domain.todos.recurrence import check_rule, check_start
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.todos import TodoStore
from services.console.command_responses import (
    NOT_FOUND_RESPONSE,
    SINGLE_ITEM_COMMAND_RESPONSES,
    IdempotencyKey,
    build_command_result,
    run_command,
)
from services.console.command_runner import CommandRunner
from services.console.routes.memories import VisibleMemories
from services.console.routes.memory_edits import MemoryCommandFactory, requested_memory_id


class RecurrenceInvalid(PermanentError):
    """The recurrence rule cannot be read, or never holds."""

    reason = "recurrence_invalid"


_TodoCommand = CompleteTodo | ReopenTodo | SnoozeTodo


def build_router(
    todos: TodoStore,
    visible: VisibleMemories,
    editing: MemoryCommandFactory,
    commands: CommandRunner,
    clock: Clock,
) -> APIRouter:
    router = APIRouter(prefix="/v1/todos", tags=["todos"])

    @router.get(
        "",
        openapi_extra=declare_permission(Permission.READ),
        responses={404: NOT_FOUND_RESPONSE},
    )
    async def page(query: Annotated[TodoQuery, Query()]) -> TodoList:
        """List todos that a scope can see, earliest due first.

        One that is not to be done any more is forgotten like any memory, by its id
        (`POST /v1/memories/{id}/forget`), and restored like one.
        """
        found = await todos.list(
            await visible.list_scopes(query),
            states=query.state,
            due_before=query.due_before,
            limit=query.limit + 1,
            after=query.cursor,
        )
        shown = found[: query.limit]
        return TodoList(
            todos=tuple(shown), next_cursor=shown[-1].id if len(found) > len(shown) else None
        )

    @router.post(
        "",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=SINGLE_ITEM_COMMAND_RESPONSES,
    )
    async def add(
        scope: Annotated[Scope, Query()],
        request: AddTodoRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Add a todo. Without `due_at` it is due when its words say, as of now."""
        if request.recurrence is not None:
            _require_rule(request.recurrence, request.due_at or request.remind_at)
        event = editing.add(scope, request.memory(), idempotency_key)
        change_set = await run_command(commands, event, response)
        todo = change_set and _added(change_set, requested_memory_id(event))
        return build_command_result(event, change_set, todo=todo)

    @router.post(
        "/{todo_id}/complete",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=SINGLE_ITEM_COMMAND_RESPONSES,
    )
    async def complete(
        todo_id: Identifier,
        scope: Annotated[Scope, Query()],
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Complete a todo: its memory is closed, and nobody is reminded."""
        todo = await _seen(scope, todo_id)
        return await _run(_command(CompleteTodo, todo, clock, idempotency_key), todo, response)

    @router.post(
        "/{todo_id}/reopen",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=SINGLE_ITEM_COMMAND_RESPONSES,
    )
    async def reopen(
        todo_id: Identifier,
        scope: Annotated[Scope, Query()],
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Reopen a todo that was done."""
        todo = await _seen(scope, todo_id)
        return await _run(_command(ReopenTodo, todo, clock, idempotency_key), todo, response)

    @router.post(
        "/{todo_id}/snooze",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=SINGLE_ITEM_COMMAND_RESPONSES,
    )
    async def snooze(
        todo_id: Identifier,
        scope: Annotated[Scope, Query()],
        request: SnoozeTodoRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Remind of an open todo at a time that is ahead, whether or not a reminder was given."""
        todo = await _seen(scope, todo_id)
        command = _command(SnoozeTodo, todo, clock, idempotency_key, until=request.until)
        return await _run(command, todo, response)

    async def _seen(scope: Scope, todo_id: str) -> Todo:
        found = await todos.by_ids({scope.user_id: [todo_id]})
        seen = [todo for todo in found if todo.scope in scope.visible()]
        if not seen:
            raise RecordNotFound("no todo of this id can be seen from here")
        return seen[0]

    async def _run(command: _TodoCommand, todo: Todo, response: Response) -> CommandResult:
        change_set = await run_command(commands, command, response)
        return build_command_result(
            command, change_set, todo=change_set and _after(change_set, todo)
        )

    return router


def _command(
    command: type[_TodoCommand],
    todo: Todo,
    clock: Clock,
    idempotency_key: str | None,
    **fields: datetime,
) -> _TodoCommand:
    """Build a todo command. Without a key, two requests about the same version are one command."""
    identity = ("key", idempotency_key) if idempotency_key else ("version", str(todo.version))
    scope = todo.scope
    return command(
        event_id=derive_event_id(
            command.__name__,
            scope.user_id,
            todo.id,
            *identity,
            *(moment.isoformat() for moment in fields.values()),
        ),
        occurred_at=clock(),
        **scope.model_dump(),
        todo_id=todo.id,
        **fields,
    )


def _require_rule(rule: str, start: datetime | None) -> None:
    """Check that the rule recurs from this start on.

    Raises:
        RecurrenceInvalid: it does not.
    """
    try:
        check_rule(rule)
        if start is not None:
            check_start(start)
    except ValueError as error:
        raise RecurrenceInvalid(str(error)) from None


def _added(change_set: ChangeSet, todo_id: str) -> Todo | None:
    """Return the added todo, or the only changed one if it said the same."""
    left = [change.after for change in change_set.changes if isinstance(change, TodoChange)]
    added = [todo for todo in left if todo.id == todo_id]
    return next(iter(added or (left if len(left) == 1 else [])), None)


def _after(change_set: ChangeSet, todo: Todo) -> Todo:
    """Return the todo after the change set; the given one if nothing changed."""
    changes = [change for change in change_set.changes if isinstance(change, TodoChange)]
    return next((change.after for change in changes if change.after.id == todo.id), todo)
