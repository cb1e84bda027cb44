"""`palimpsest todos`: what a user has to do, and saying what became of it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import typer

from palimpsest.api.resources import CommandResult
from palimpsest.model.clock import system_clock
from palimpsest.model.todo import Todo, TodoState
from palimpsest_server.domain.todos.due_time import is_overdue
from services.host.options import JsonOption
from services.host.service_calls import (
    AgentOption,
    ProjectOption,
    UrlOption,
    UserOption,
    build_scope_fields,
    call_services,
    describe_empty_result,
    print_command_result,
    print_json,
)

app = typer.Typer(help="What is to be done, and what became of it.", no_args_is_help=True)

TodoIdArgument = Annotated[str, typer.Argument(help="The todo's id, as `todos list` shows it.")]
TodoStatesOption = Annotated[
    list[TodoState] | None,
    typer.Option("--state", help="Instead of open ones; may be given more than once."),
]
OverdueOption = Annotated[bool, typer.Option("--overdue", help="Only open ones that are too late.")]


@app.command("list")
def list_(
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    state: TodoStatesOption = None,
    limit: Annotated[int, typer.Option(min=1, max=500)] = 50,
    url: UrlOption = None,
    *,
    overdue: OverdueOption = False,
    as_json: JsonOption = False,
) -> None:
    """Open ones where no state is asked for, what is due first first; days and times are the user's."""
    if overdue and state:
        raise typer.BadParameter("only what is open can be too late: leave --state out")
    now = system_clock()
    query: dict[str, Any] = {"state": state or (TodoState.OPEN,), "limit": limit}
    if overdue:
        query["due_before"] = now
    whose = build_scope_fields(user, agent, project)
    found = call_services(url, lambda client: client.todos(**whose, **query))
    zone = _time_zone(user, url)
    if overdue:
        late = tuple(todo for todo in found.todos if is_overdue(todo, time_zone=zone, now=now))
        found = found.model_copy(update={"todos": late})
    if as_json:
        print_json(found)
        return
    for todo in found.todos:
        typer.echo(_line(todo, zone, now))
    if not found.todos:
        words = "Nothing is too late." if overdue else "There are no such todos here."
        typer.echo(describe_empty_result(words, agent))


def _plainly(name: str) -> Callable[..., None]:
    """A command that needs no more than to know which todo is meant."""

    def command(
        todo_id: TodoIdArgument,
        user: UserOption,
        agent: AgentOption = None,
        project: ProjectOption = None,
        url: UrlOption = None,
        *,
        as_json: JsonOption = False,
    ) -> None:
        whose = build_scope_fields(user, agent, project)
        done: CommandResult = call_services(
            url, lambda client: getattr(client, name)(todo_id, **whose)
        )
        print_command_result(done, as_json=as_json)
        if done.todo is not None and not as_json:
            typer.echo(_line(done.todo, _time_zone(user, url), system_clock()))

    return command


app.command("complete", help="It is done.")(_plainly("complete_todo"))
app.command("reopen", help="What was done is to be done after all.")(_plainly("reopen_todo"))
app.command(
    "cancel", help="It is not to be done any more; `memories restore` with its id brings it back."
)(_plainly("cancel_todo"))


@app.command()
def snooze(
    todo_id: TodoIdArgument,
    minutes: Annotated[int, typer.Argument(min=1, help="From now until the reminder.")],
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Remind of it in so many minutes instead."""
    until = system_clock() + timedelta(minutes=minutes)
    whose = build_scope_fields(user, agent, project)
    done = call_services(url, lambda client: client.snooze_todo(todo_id, until, **whose))
    print_command_result(done, as_json=as_json)


def _time_zone(user: str, url: str | None) -> str:
    return call_services(url, lambda client: client.settings(user)).time_zone


def _line(todo: Todo, time_zone: str, now: datetime) -> str:
    return f"{todo.id}  [{_standing(todo, time_zone, now)}]  {todo.content}"


def _standing(todo: Todo, time_zone: str, now: datetime) -> str:
    """Format a todo's state and due or done time, in the user's time zone."""
    zone = ZoneInfo(time_zone)
    if todo.completed_at is not None:
        return f"{todo.state} {todo.completed_at.astimezone(zone):%Y-%m-%d %H:%M}"
    if todo.due_at is None or todo.state is not TodoState.OPEN:
        return str(todo.state)
    due_at = todo.due_at.astimezone(zone)
    written = f"{due_at:%Y-%m-%d}" if todo.all_day else f"{due_at:%Y-%m-%d %H:%M}"
    late = is_overdue(todo, time_zone=time_zone, now=now)
    return f"{todo.state}, {'overdue since' if late else 'due'} {written}"
