"""`palimpsest preview`: what would be remembered of a text, and why not the rest."""

from typing import Annotated

import typer

from palimpsest.api.extraction_preview import PreviewMessage, PreviewRequest
from palimpsest.model.turn import Role
from services.host.options import JsonOption
from services.host.service_calls import (
    AgentOption,
    ProjectOption,
    UrlOption,
    UserOption,
    build_scope_fields,
    call_services,
    print_json,
)


def preview(
    text: Annotated[str, typer.Argument(help="As somebody might say it.")],
    user: UserOption,
    role: Annotated[Role, typer.Option(help="Whoever says it.")] = Role.USER,
    agent: AgentOption = None,
    project: ProjectOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Show what would be remembered of a text, and why not the rest; nothing is stored."""
    request = PreviewRequest(
        **build_scope_fields(user, agent, project),
        messages=(PreviewMessage(role=role, text=text),),
    )
    found = call_services(url, lambda client: client.preview(request))
    if as_json:
        print_json(found)
        return
    for memory in found.memories:
        quotes = "; ".join(piece.quote for piece in memory.evidence)
        typer.echo(f"[{memory.kind}, {memory.confidence:.2f}]  {memory.content}  <- {quotes}")
    for left in found.left_out:
        flaw = f", {left.flaw}" if left.flaw else ""
        typer.echo(f"left out ({left.reason}{flaw}): {left.words}")
    if not found.memories:
        typer.echo("Nothing would be remembered.")
