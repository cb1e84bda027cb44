"""`palimpsest changes list|undo`: the history of a user."""

from typing import Annotated

import typer

from services.host.options import JsonOption
from services.host.service_calls import (
    UrlOption,
    UserOption,
    call_services,
    print_command_result,
    print_json,
)

app = typer.Typer(help="Who changed what, and taking it back.", no_args_is_help=True)


@app.command("list")
def list_(
    user: UserOption,
    memory: Annotated[str | None, typer.Option(help="Only of this memory.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=200)] = 50,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """The newest first. What a memory said before and after is in the JSON."""
    found = call_services(
        url, lambda client: client.changes(user_id=user, memory_id=memory, limit=limit)
    )
    if as_json:
        print_json(found)
        return
    for change in found.changes:
        touched = len(change.changes)
        typer.echo(
            f"{change.revision:>5}  {change.decided_at:%Y-%m-%d %H:%M}  {change.id}"
            f"  {change.actor}: {change.reason} ({touched} {'change' if touched == 1 else 'changes'})"
        )
    if not found.changes:
        typer.echo(f"Nothing was changed for {user}.")


@app.command()
def undo(
    change_set_id: Annotated[str, typer.Argument(help="As `changes list` names it.")],
    user: UserOption,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Take back all that one change did, unless something changed it again since."""
    print_command_result(
        call_services(url, lambda client: client.undo(change_set_id, user_id=user)), as_json=as_json
    )
