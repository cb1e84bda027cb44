"""`palimpsest sessions`: conversations, what each changed, and taking that back."""

from collections.abc import Sequence
from typing import Annotated

import typer

from palimpsest.api.conversations import SessionUndoResult
from palimpsest.model.change_set import ChangeSet
from services.host.options import JsonOption
from services.host.service_calls import (
    AgentOption,
    DryRunOption,
    ProjectOption,
    UrlOption,
    UserOption,
    build_scope_fields,
    call_services,
    format_memory,
    print_json,
)

app = typer.Typer(help="Conversations, and what each changed.", no_args_is_help=True)

SessionArgument = Annotated[str, typer.Argument(help="As `sessions list` names it.")]


@app.command("list")
def list_(
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    limit: Annotated[int, typer.Option(min=1, max=200)] = 50,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """That of the latest message first."""
    whose = build_scope_fields(user, agent, project)
    found = call_services(url, lambda client: client.sessions.list(**whose, limit=limit))
    if as_json:
        print_json(found)
        return
    for conversation in found.conversations:
        at = (
            f"{conversation.last_message_at:%Y-%m-%d %H:%M}"
            if conversation.last_message_at
            else " " * 16
        )
        typer.echo(
            f"{at}  {conversation.session_id}  {conversation.messages} messages  {conversation.topic or ''}".rstrip()
        )
    if not found.conversations:
        typer.echo(f"Nothing was said by {user} that can be seen from here.")


@app.command()
def changes(
    session_id: SessionArgument,
    user: UserOption,
    agent: AgentOption = None,
    limit: Annotated[int, typer.Option(min=1, max=200)] = 50,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Show what a conversation changed in memory, the newest change first."""
    found = call_services(
        url,
        lambda client: client.sessions.changes(
            session_id, user_id=user, agent_id=agent, limit=limit
        ),
    )
    if as_json:
        print_json(found)
        return
    for line in _describe(found.changes):
        typer.echo(line)
    if not found.changes:
        typer.echo("This conversation changed nothing.")


@app.command()
def undo(
    session_id: SessionArgument,
    user: UserOption,
    agent: AgentOption = None,
    url: UrlOption = None,
    *,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Take back all that a conversation wrote; what was changed again since stays and is told."""
    done = call_services(
        url,
        lambda client: client.undo_session(
            session_id, user_id=user, agent_id=agent, dry_run=dry_run
        ),
    )
    if as_json:
        print_json(done)
        return
    for line in _report(done, dry_run=dry_run):
        typer.echo(line)


def _describe(change_sets: Sequence[ChangeSet]) -> list[str]:
    lines = []
    for change_set in change_sets:
        lines.append(
            f"{change_set.revision:>5}  {change_set.decided_at:%Y-%m-%d %H:%M}  {change_set.id}  {change_set.reason}"
        )
        lines += [f"       {format_memory(change.after)}" for change in change_set.memory_changes]
    return lines


def _report(done: SessionUndoResult, *, dry_run: bool) -> list[str]:
    verb = "would be" if dry_run else "is"
    lines = [
        f"{verb} {memory_put_back.after.status} again: {memory_put_back.after.content}"
        for memory_put_back in done.put_back
    ] or ["nothing to put back"]
    for conflict in done.conflicts:
        later = conflict.refusal.change_set_id
        named = f" (the later change is {later})" if later else ""
        lines.append(f"stays: {conflict.change_set_id}, {conflict.refusal.message}{named}")
    if done.left:
        lines.append(f"{done.left} more changes: ask again to go on with them")
    if done.result is not None:
        change = done.result.change_set_id
        lines.append(f"undo this by {change}" if change else "accepted, and under way")
    return lines
