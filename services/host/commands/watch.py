"""`palimpsest watch`: shows changes in the terminal as they happen."""

from typing import Annotated

import typer
from rich.console import Console

from palimpsest.api.change_events import ChangeEvent, ChangeEventType
from palimpsest.client import PalimpsestClient
from services.host.options import JsonOption
from services.host.service_calls import AgentOption, ProjectOption, UrlOption, call_services

WatchedUserOption = Annotated[
    str | None, typer.Option("--user", help="Whose changes; left out, those of all users.")
]
EventTypesOption = Annotated[
    list[ChangeEventType] | None,
    typer.Option("--type", help="Only this kind of change; may be given more than once."),
]


def watch(
    user: WatchedUserOption = None,
    agent: AgentOption = None,
    project: ProjectOption = None,
    event_type: EventTypesOption = None,
    after: Annotated[str | None, typer.Option(help="Behind this position of an event.")] = None,
    url: UrlOption = None,
    *,
    content: Annotated[bool, typer.Option("--content", help="Show the words as well.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show changes as they happen, until you press Ctrl-C. With --json one object a line."""

    async def follow(client: PalimpsestClient) -> ChangeEvent:
        changes = client.watch(
            user_id=user,
            agent_id=agent,
            project_id=project,
            type=event_type,
            content=content,
            after=after,
        )
        async for change in changes:
            typer.echo(change.model_dump_json(exclude_none=True) if as_json else _line(change))
        raise AssertionError("a stream of changes has no end")

    if not as_json:
        console = Console(stderr=True, soft_wrap=True, highlight=False)
        console.print("Watching; Ctrl-C ends it.", markup=False)
    call_services(url, follow)


def _line(change: ChangeEvent) -> str:
    record = change.data
    whose = "/".join(part for part in (record.user_id, record.agent_id, record.project_id) if part)
    words = f"  {record.content}" if record.content else ""
    return f"{change.timestamp:%H:%M:%S}  {change.type:<18}  {whose}  {record.id or 'everything'}{words}"
