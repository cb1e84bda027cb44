"""`palimpsest traces USER`: what was asked, what was returned, and what of it was used."""

from typing import Annotated

import typer

from palimpsest.api.recall import RecallTrace
from services.host.options import JsonOption
from services.host.service_calls import UrlOption, call_services, print_json


def traces(
    user: Annotated[str, typer.Argument(help="Whose.")],
    agent: Annotated[str | None, typer.Option(help="Only what this agent asked.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=200)] = 50,
    cursor: Annotated[
        str | None, typer.Option(help="The last recall's id of the page before.")
    ] = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """List recalls for a user in the last 30 days, newest first.

    A question that met nothing leaves no trace.
    """
    found = call_services(
        url,
        lambda client: client.traces(user_id=user, agent_id=agent, limit=limit, cursor=cursor),
    )
    if as_json:
        print_json(found)
        return
    for trace in found.traces:
        typer.echo(f"{trace.asked_at:%Y-%m-%d %H:%M}  {trace.recall_id}  {_words(trace)}")
    if found.next_cursor is not None:
        typer.echo(f"There are more: --cursor {found.next_cursor}")
    if not found.traces:
        typer.echo(f"Nothing was recalled for {user}.")


def _words(trace: RecallTrace) -> str:
    returned = len(trace.results)
    used = f", {len(trace.used)} used" if trace.used else ""
    results = f"{returned} {'result' if returned == 1 else 'results'}{used}"
    return f"{trace.asked} ({results})" if trace.asked else results
