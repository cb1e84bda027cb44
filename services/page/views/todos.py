"""Todos: when each is due, what is overdue, and what is done with them."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from palimpsest.api.resources import CommandResult
from palimpsest.client.call_fields import AddTodoFields
from palimpsest.model.todo import TodoState
from services.page.page_routes import PageRoute, render_error
from services.page.todo_times import (
    Snooze,
    TodoGroup,
    describe_rule,
    find_snooze_end,
    group_todos,
)
from services.page.visit import Visit

MAXIMUM_TODOS = 500
"""The most todos that are shown, those due first."""

RULES: Mapping[str, str] = {
    "daily": "FREQ=DAILY",
    "workday": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "weekly": "FREQ=WEEKLY",
    "monthly": "FREQ=MONTHLY",
    "yearly": "FREQ=YEARLY",
}
"""Rules of recurrence that are offered, by the name of their words."""


async def show(visit: Visit) -> Response:
    """Show all todos by when they are due."""
    return visit.render("todos.html", **await _read(visit))


async def show_list(visit: Visit) -> Response:
    """Show the list anew."""
    return visit.render("todos/list.html", **await _read(visit))


async def add(visit: Visit) -> Response:
    """Add a todo."""
    content = visit.form.get("content", "").strip()
    fields: AddTodoFields = {}
    try:
        if due := visit.form.get("due_at"):
            fields["due_at"] = visit.times.parse_field(due)
    except ValueError:
        return render_error(visit, HTTPStatus.UNPROCESSABLE_ENTITY, "errors.invalid")
    if rule := RULES.get(visit.form.get("recurrence", "")):
        fields["recurrence"] = rule
    result = await visit.client.add_todo(content, **visit.scope(), **fields)
    return await _answer(visit, "todos.added", result)


async def complete(visit: Visit) -> Response:
    """Mark a todo as done."""
    result = await visit.client.complete_todo(visit.path["todo_id"], **visit.scope())
    return await _answer(visit, "todos.completed", result)


async def reopen(visit: Visit) -> Response:
    """Open a todo again that was done."""
    result = await visit.client.reopen_todo(visit.path["todo_id"], **visit.scope())
    return await _answer(visit, "todos.reopened", result)


async def snooze(visit: Visit) -> Response:
    """Put the reminder of a todo off."""
    chosen = visit.form.get("until", "")
    until = find_snooze_end(
        Snooze(chosen) if chosen in set(Snooze) else Snooze.TOMORROW,
        now=visit.times.now,
        time_zone=visit.times.time_zone,
    )
    result = await visit.client.snooze_todo(visit.path["todo_id"], until, **visit.scope())
    return await _answer(visit, "todos.snoozed", result, moment=visit.times.moment(until))


async def cancel(visit: Visit) -> Response:
    """Forget a todo that is not to be done any more."""
    result = await visit.client.cancel_todo(visit.path["todo_id"], **visit.scope())
    return await _answer(visit, "todos.cancelled", result)


async def _answer(visit: Visit, key: str, result: CommandResult, **values: str) -> Response:
    return visit.render(
        "todos/changed.html",
        text=visit.word(key, **values),
        change_set_id=result.change_set_id,
        **await _read(visit),
    )


async def _read(visit: Visit) -> dict[str, Any]:
    states = (TodoState.OPEN, TodoState.DONE)
    page = await visit.client.todos(**visit.everywhere(), state=states, limit=MAXIMUM_TODOS)
    groups = group_todos(page.todos, now=visit.times.now, time_zone=visit.times.time_zone)
    return {
        "groups": groups,
        "overdue": TodoGroup.OVERDUE,
        "snoozes": tuple(Snooze),
        "rules": tuple(RULES),
        "describe_rule": lambda rule: describe_rule(rule, visit.word),
    }


ROUTES = (
    PageRoute("/todos", show),
    PageRoute("/todos/list", show_list),
    PageRoute("/todos", add, "POST"),
    PageRoute("/todos/{todo_id:path}/complete", complete, "POST"),
    PageRoute("/todos/{todo_id:path}/reopen", reopen, "POST"),
    PageRoute("/todos/{todo_id:path}/snooze", snooze, "POST"),
    PageRoute("/todos/{todo_id:path}/cancel", cancel, "POST"),
)
